/*
 * One side of the card at work: CLOCK_MONOTONIC is its crystal, a ring buffer its memory, the room (room.h) its air.
 * A recording catches up with the clock whenever its program asks. A playback has a thread that does it every 5 ms as
 * well, since a player that waits for its input asks nothing while its last sound leaves, or is killed.
 * What is found late (a ring that ran dry) is dated with the time at which it happened.
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "room.h"

#include <pthread.h>

struct run {
	struct room room;
	int playback;
	unsigned rate;
	int64_t buffer;   /* frames in the ring */

	pthread_mutex_t lock; /* over all below; run_* take it */
	pthread_cond_t over;
	pthread_t mover;
	int moving;       /* the thread exists */

	int running;
	int draining;     /* what is in the ring is the last of it */
	int failure;      /* how the run ended by itself: 0, -EPIPE (over- or underrun), -ENODEV */
	int64_t zero_ns;  /* when frame 0 of the run passed the converter; moves on while the card is stalled */
	int64_t zero;     /* the same as a frame of the room */
	int64_t hw, appl; /* frames of the run that the card and the program have done */
	char *ring;       /* of a playback: frames hw to appl */
};

/* Nothing runs yet. */
void run_init(struct run *run);
void run_destroy(struct run *run);

/* 0 or -ENOMEM. */
int run_set_buffer(struct run *run, unsigned rate, int64_t frames);

/* Begins anew at frame 0: 0, or -ENODEV where the card has vanished. */
int run_prepare(struct run *run);

/* 0, -ENODEV where the card has vanished, or why there is no thread. */
int run_start(struct run *run);

/* Brings the card up to now: `hw` of then, and what `failure` says. The thread of a playback moves both at any time. */
int run_catch_up(struct run *run, int draining, int64_t *hw);

void run_stop(struct run *run);

/* Takes frames from the program, or gives it some. */
void run_put(struct run *run, const char *from, int64_t frames);
void run_get(struct run *run, char *to, int64_t frames);

/* Frames that the program could put or get now. */
int64_t run_ready(struct run *run);

#endif
