#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_NS 1000000000LL
#define STEP_NS 5000000LL

static void catch_up(struct run *run);
static void play(struct run *run, int64_t until);
static void halt(struct run *run, int64_t at_ns, const char *what, int failure);
static void *move(void *run);
static void join(struct run *run);

void run_init(struct run *run)
{
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->over, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void run_destroy(struct run *run)
{
	run_stop(run);
	pthread_cond_destroy(&run->over);
	pthread_mutex_destroy(&run->lock);
	free(run->ring);
}

int run_set_buffer(struct run *run, unsigned rate, int64_t frames)
{
	free(run->ring);
	run->ring = calloc(frames, run->room.frame_bytes);
	run->rate = rate;
	run->buffer = frames;
	return run->ring == NULL ? -ENOMEM : 0;
}

int run_prepare(struct run *run)
{
	run_stop(run);
	if (room_fault(&run->room) == ROOM_VANISHED)
		return -ENODEV;
	run->hw = run->appl = 0;
	run->failure = 0;
	run->draining = 0;
	return 0;
}

static int64_t time_of(const struct run *run, int64_t frame)
{
	return run->zero_ns + frame * SECOND_NS / run->rate;
}

static void begin_at(struct run *run, int64_t zero_ns)
{
	run->zero_ns = zero_ns;
	run->zero = room_frame(&run->room, zero_ns);
}

int run_start(struct run *run)
{
	if (room_fault(&run->room) == ROOM_VANISHED)
		return -ENODEV;
	pthread_mutex_lock(&run->lock);
	int error = run->playback ? pthread_create(&run->mover, NULL, move, run) : 0;
	if (error == 0) {
		begin_at(run, room_now());
		run->running = 1;
		run->moving = run->playback;
		room_tell(&run->room, run->zero_ns, "start");
	}
	pthread_mutex_unlock(&run->lock);
	return -error;
}

int run_catch_up(struct run *run, int draining, int64_t *hw)
{
	pthread_mutex_lock(&run->lock);
	run->draining = draining;
	catch_up(run);
	int failure = run->failure;
	*hw = run->hw;
	pthread_mutex_unlock(&run->lock);
	return failure;
}

void run_stop(struct run *run)
{
	pthread_mutex_lock(&run->lock);
	catch_up(run);
	if (run->running)
		halt(run, run->room.owner->alive_ns, "stop", 0);
	pthread_mutex_unlock(&run->lock);
	join(run);
}

void run_put(struct run *run, const char *from, int64_t frames)
{
	size_t bytes = run->room.frame_bytes;
	pthread_mutex_lock(&run->lock);
	for (int64_t i = 0; i < frames; i++)
		memcpy(run->ring + (run->appl + i) % run->buffer * bytes, from + i * bytes, bytes);
	run->appl += frames;
	pthread_mutex_unlock(&run->lock);
}

void run_get(struct run *run, char *to, int64_t frames)
{
	pthread_mutex_lock(&run->lock);
	room_hear(&run->room, run->zero + run->appl, to, frames);
	run->appl += frames;
	pthread_mutex_unlock(&run->lock);
}

int64_t run_ready(struct run *run)
{
	pthread_mutex_lock(&run->lock);
	int64_t ready = run->playback ? run->buffer - (run->appl - run->hw) : run->hw - run->appl;
	pthread_mutex_unlock(&run->lock);
	return ready;
}

static void catch_up(struct run *run)
{
	if (!run->running)
		return;
	int64_t now = room_now();
	enum room_fault fault = room_fault(&run->room);
	if (fault == ROOM_STALLED) {
		begin_at(run, now - run->hw * SECOND_NS / run->rate);
		run->room.owner->alive_ns = now;
		return;
	}
	int64_t due = (now - run->zero_ns) * run->rate / SECOND_NS;
	int64_t limit = run->playback ? run->appl : run->appl + run->buffer;
	int64_t done = due < limit ? due : limit;
	if (run->playback)
		play(run, done);
	if (done > run->hw)
		run->hw = done;
	run->room.owner->alive_ns = due > limit ? time_of(run, limit) : now;
	if (fault == ROOM_VANISHED)
		halt(run, now, "stop", -ENODEV);
	else if (due > limit && !run->draining)
		halt(run, time_of(run, limit), "xrun", -EPIPE);
}

/* Lets the frames up to `until` leave the speaker. */
static void play(struct run *run, int64_t until)
{
	while (run->hw < until) {
		int64_t at = run->hw % run->buffer;
		int64_t left = until - run->hw;
		int64_t frames = left < run->buffer - at ? left : run->buffer - at;
		room_sound(&run->room, run->zero + run->hw, run->ring + at * run->room.frame_bytes, frames);
		run->hw += frames;
	}
}

static void halt(struct run *run, int64_t at_ns, const char *what, int failure)
{
	room_tell(&run->room, at_ns, what);
	run->running = 0;
	run->failure = failure;
	pthread_cond_signal(&run->over);
}

static void *move(void *of)
{
	struct run *run = of;
	pthread_mutex_lock(&run->lock);
	while (run->running) {
		int64_t next = room_now() + STEP_NS;
		struct timespec when = { next / SECOND_NS, next % SECOND_NS };
		pthread_cond_timedwait(&run->over, &run->lock, &when);
		catch_up(run);
	}
	pthread_mutex_unlock(&run->lock);
	return NULL;
}

static void join(struct run *run)
{
	if (run->moving)
		pthread_join(run->mover, NULL);
	run->moving = 0;
}
