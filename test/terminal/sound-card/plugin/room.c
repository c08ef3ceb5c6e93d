#include "room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int open_in(const char *folder, const char *name, const char *ending, int flags);
static int own(struct room *room);
static void *map(int fd, size_t size, int protection);

int64_t room_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int room_open(struct room *room, const char *folder)
{
	int error = 0;
	room->faults = NULL;
	room->owner = NULL;
	room->sound_fd = open_in(folder, room->side, ".raw", O_RDWR);
	room->events_fd = open_in(folder, "events", "", O_WRONLY | O_APPEND);
	room->owner_fd = open_in(folder, room->side, ".owner", O_RDWR);
	int faults_fd = open_in(folder, "faults", "", O_RDONLY);

	if (room->sound_fd < 0 || room->events_fd < 0 || room->owner_fd < 0 || faults_fd < 0)
		error = -ENODEV;
	else if ((room->faults = map(faults_fd, 2, PROT_READ)) == NULL)
		error = -ENOMEM;
	else if (room_fault(room) == ROOM_BUSY)
		error = -EBUSY;
	else if (room_fault(room) == ROOM_MISSING || room_fault(room) == ROOM_VANISHED)
		error = -ENODEV;
	else
		error = own(room);

	if (faults_fd >= 0)
		close(faults_fd);
	if (error < 0)
		room_close(room);
	return error;
}

void room_close(struct room *room)
{
	if (room->owner != NULL) {
		room->owner->pid = 0;
		room->owner->running = 0;
		munmap((void *)room->owner, sizeof(struct room_owner));
	}
	if (room->faults != NULL)
		munmap((void *)room->faults, 2);
	for (int i = 0; i < 3; i++) {
		int fd = (int[]){ room->sound_fd, room->events_fd, room->owner_fd }[i];
		if (fd >= 0)
			close(fd);
	}
}

enum room_fault room_fault(const struct room *room)
{
	return room->faults[strcmp(room->side, "speaker") == 0];
}

void room_tell(struct room *room, int64_t at_ns, const char *what)
{
	room->owner->running = strcmp(what, "start") == 0;
	room->owner->alive_ns = at_ns;
	/* One write of O_APPEND, so that lines of both sides stay whole. */
	dprintf(room->events_fd, "%lld %s %s\n", (long long)at_ns, room->side, what);
}

int64_t room_frame(const struct room *room, int64_t at_ns)
{
	return (int64_t)((double)(at_ns - room->epoch_ns) * room->rate / 1e9 + 0.5);
}

void room_hear(struct room *room, int64_t frame, char *to, size_t frames)
{
	size_t bytes = frames * room->frame_bytes;
	ssize_t got = pread(room->sound_fd, to, bytes, frame * (off_t)room->frame_bytes);
	if (got < 0)
		got = 0;
	memset(to + got, 0, bytes - (size_t)got);
}

void room_sound(struct room *room, int64_t frame, const char *from, size_t frames)
{
	size_t bytes = frames * room->frame_bytes;
	if (pwrite(room->sound_fd, from, bytes, frame * (off_t)room->frame_bytes) < (ssize_t)bytes)
		fprintf(stderr, "bench card: the room is full: %s\n", strerror(errno));
}

static int open_in(const char *folder, const char *name, const char *ending, int flags)
{
	char path[4096];
	if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path)
		return -1;
	return open(path, flags | O_CLOEXEC);
}

/* The kernel drops the lock of a process that was killed; its last sound is told for it here. */
static int own(struct room *room)
{
	if (flock(room->owner_fd, LOCK_EX | LOCK_NB) < 0)
		return -EBUSY;
	if ((room->owner = map(room->owner_fd, sizeof(struct room_owner), PROT_READ | PROT_WRITE)) == NULL)
		return -ENOMEM;
	if (room->owner->running)
		room_tell(room, room->owner->alive_ns, "stop");
	room->owner->pid = getpid();
	return 0;
}

static void *map(int fd, size_t size, int protection)
{
	void *at = mmap(NULL, size, protection, MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}
