/*
 * The room as one side of the card has it: sound in a file whose frame index is time. test/terminal/sound-card/room.ts
 * makes the folder and says what is in it; test/terminal/sound-card/stand-in does the same as this without a compiler.
 */
#ifndef BENCH_ROOM_H
#define BENCH_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* What a test can do to one side of the card: a byte in the file `faults`, which every process has mapped. */
enum room_fault {
	ROOM_SOUND = '-',
	ROOM_BUSY = 'b',     /* cannot be opened: EBUSY */
	ROOM_MISSING = 'm',  /* cannot be opened: ENODEV */
	ROOM_VANISHED = 'v', /* is gone, in the middle of work too: ENODEV */
	ROOM_STALLED = 's',  /* its clock stands still: no sound moves, and no error is told */
};

/* In a file that is locked by who has the side open, so that the end of one who was killed can still be told. */
struct room_owner {
	int64_t pid;
	int64_t alive_ns; /* up to when its sound is in the room */
	int64_t running;
};

struct room {
	const char *side; /* "microphone" or "speaker" */
	int64_t epoch_ns; /* CLOCK_MONOTONIC of frame 0 */
	unsigned rate;
	size_t frame_bytes;
	int sound_fd, events_fd, owner_fd;
	const volatile char *faults; /* microphone, speaker */
	volatile struct room_owner *owner;
};

int64_t room_now(void);

/* 0, or a negative errno with nothing left open: -EBUSY where another has this side. */
int room_open(struct room *room, const char *folder);
void room_close(struct room *room);

enum room_fault room_fault(const struct room *room);

/* Writes `what` (start, stop, xrun) into the event log. */
void room_tell(struct room *room, int64_t at_ns, const char *what);

/* The frame that sounds at a time. */
int64_t room_frame(const struct room *room, int64_t at_ns);

/* Reads frames; what nobody has written is silence. */
void room_hear(struct room *room, int64_t frame, char *to, size_t frames);
void room_sound(struct room *room, int64_t frame, const char *from, size_t frames);

#endif
