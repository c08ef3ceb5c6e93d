/*
 * bench_card: an ALSA ioplug that behaves as a sound card does. CLOCK_MONOTONIC is its crystal, a ring buffer its memory,
 * the room (room.h) its air. Nothing runs beside the program that opened it: whenever that program asks or wakes up, the
 * card catches up with the clock, and what it finds (frames that left, a ring that ran dry) it dates with the time at
 * which it happened.
 */
#include "room.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

/* Sound leaves the ring in steps of this, so that no more is missing from the room when the player is killed. */
#define PLAY_STEP_NS 5000000LL

struct card {
	snd_pcm_ioplug_t io;
	struct room room;
	int timer;
	int running;
	int64_t zero_ns;  /* when frame 0 of this run passed the converter; moves on while the card is stalled */
	int64_t zero;     /* the same as a frame of the room */
	int64_t hw, appl; /* frames of this run that the card and the program have done */
	char *ring;       /* playback only: frames hw to appl */
};

static int is_playback(const struct card *card)
{
	return card->io.stream == SND_PCM_STREAM_PLAYBACK;
}

static int64_t time_of(const struct card *card, int64_t frame)
{
	return card->zero_ns + frame * 1000000000LL / card->io.rate;
}

static void begin_at(struct card *card, int64_t zero_ns)
{
	card->zero_ns = zero_ns;
	card->zero = room_frame(&card->room, zero_ns);
}

static void set_timer(struct card *card, int64_t first_ns, int64_t step_ns)
{
	struct itimerspec when = {
		.it_interval = { step_ns / 1000000000LL, step_ns % 1000000000LL },
		.it_value = { first_ns / 1000000000LL, first_ns % 1000000000LL },
	};
	timerfd_settime(card->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Lets the frames up to `until` leave the speaker. */
static void play(struct card *card, int64_t until)
{
	int64_t size = card->io.buffer_size;
	while (card->hw < until) {
		int64_t at = card->hw % size;
		int64_t frames = until - card->hw < size - at ? until - card->hw : size - at;
		room_sound(&card->room, card->zero + card->hw, card->ring + at * card->room.frame_bytes, frames);
		card->hw += frames;
	}
}

/* Ends the run at the time when it really ended. */
static void halt(struct card *card, int64_t at_ns, const char *what)
{
	room_tell(&card->room, at_ns, what);
	card->running = 0;
	set_timer(card, 0, 0);
}

/* Brings the card up to now. 0, or -EPIPE for an over- or underrun, or -ENODEV. */
static int catch_up(struct card *card)
{
	if (!card->running)
		return 0;
	int64_t now = room_now();
	enum room_fault fault = room_fault(&card->room);
	if (fault == ROOM_STALLED) {
		begin_at(card, now - card->hw * 1000000000LL / card->io.rate);
		return 0;
	}
	int64_t due = (now - card->zero_ns) * card->io.rate / 1000000000LL;
	int64_t limit = is_playback(card) ? card->appl : card->appl + (int64_t)card->io.buffer_size;
	int64_t done = due < limit ? due : limit;
	if (done < card->hw)
		done = card->hw;
	if (is_playback(card))
		play(card, done);
	card->hw = done;
	card->room.owner->alive_ns = due > limit ? time_of(card, limit) : now;
	if (fault == ROOM_VANISHED) {
		halt(card, now, "stop");
		snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
		return -ENODEV;
	}
	if (due > limit && card->io.state != SND_PCM_STATE_DRAINING) {
		halt(card, time_of(card, limit), "xrun");
		return -EPIPE;
	}
	return 0;
}

static int card_start(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	if (room_fault(&card->room) == ROOM_VANISHED)
		return -ENODEV;
	begin_at(card, room_now());
	card->running = 1;
	room_tell(&card->room, card->zero_ns, "start");
	int64_t period_ns = io->period_size * 1000000000LL / io->rate;
	int64_t step_ns = is_playback(card) && period_ns > PLAY_STEP_NS ? PLAY_STEP_NS : period_ns;
	set_timer(card, card->zero_ns + step_ns, step_ns);
	return 0;
}

static int card_stop(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	catch_up(card);
	if (!card->running)
		return 0;
	int64_t now = room_now();
	int64_t dry = time_of(card, card->appl);
	halt(card, is_playback(card) && dry < now ? dry : now, "stop");
	return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	/* A card that is gone has set its state; told as an error here, alsa-lib would take it for an xrun. */
	return catch_up(card) == -EPIPE ? -EPIPE : card->hw;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
				       snd_pcm_uframes_t offset, snd_pcm_uframes_t size)
{
	struct card *card = io->private_data;
	char *data = (char *)areas->addr + (areas->first + areas->step * offset) / 8;
	size_t bytes = card->room.frame_bytes;
	if (is_playback(card)) {
		for (snd_pcm_uframes_t i = 0; i < size; i++)
			memcpy(card->ring + (card->appl + i) % io->buffer_size * bytes, data + i * bytes, bytes);
	} else {
		room_hear(&card->room, card->zero + card->appl, data, size);
	}
	card->appl += size;
	return size;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params)
{
	struct card *card = io->private_data;
	(void)params;
	free(card->ring);
	card->ring = calloc(io->buffer_size, card->room.frame_bytes);
	return card->ring == NULL ? -ENOMEM : 0;
}

static int card_prepare(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	if (room_fault(&card->room) == ROOM_VANISHED)
		return -ENODEV;
	card->hw = card->appl = 0;
	card->running = 0;
	return 0;
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *pfd, unsigned count, unsigned short *revents)
{
	struct card *card = io->private_data;
	uint64_t ticks;
	*revents = 0;
	if (count == 0 || !(pfd->revents & POLLIN))
		return 0;
	if (read(card->timer, &ticks, sizeof ticks) < 0)
		return 0;
	int error = catch_up(card);
	int64_t ready = is_playback(card) ? (int64_t)io->buffer_size - (card->appl - card->hw) : card->hw - card->appl;
	if (error == -ENODEV)
		*revents = POLLERR;
	else if (error < 0 || ready >= (int64_t)io->period_size || io->state == SND_PCM_STATE_DRAINING)
		*revents = is_playback(card) ? POLLOUT : POLLIN;
	if (error == -EPIPE)
		snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
	return 0;
}

static int card_close(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	card_stop(io);
	close(card->timer);
	room_close(&card->room);
	free(card->ring);
	free(card);
	return 0;
}

static const snd_pcm_ioplug_callback_t CALLBACKS = {
	.start = card_start,
	.stop = card_stop,
	.pointer = card_pointer,
	.transfer = card_transfer,
	.hw_params = card_hw_params,
	.prepare = card_prepare,
	.poll_revents = card_poll_revents,
	.close = card_close,
};

/* What a card of one rate and one number of channels can do. */
static int constrain(struct card *card, unsigned channels)
{
	/* Without MMAP the rate converter of plug cannot stand on this card. */
	static const unsigned accesses[] = { SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED };
	static const unsigned formats[] = { SND_PCM_FORMAT_S16_LE };
	snd_pcm_ioplug_t *io = &card->io;
	int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
	if (error >= 0)
		error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
	if (error >= 0)
		error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, channels, channels);
	if (error >= 0)
		error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, card->room.rate, card->room.rate);
	if (error >= 0)
		error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 64 * 1024);
	if (error >= 0)
		error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, 512 * 1024);
	if (error >= 0)
		error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
	return error;
}

/* pcm.NAME { type bench_card  folder "/room"  epoch "NANOSECONDS"  rate 16000  channels 1 } */
SND_PCM_PLUGIN_DEFINE_FUNC(bench_card)
{
	snd_config_iterator_t i, next;
	const char *folder = NULL, *epoch = NULL;
	long rate = 0, channels = 0;
	(void)root;
	snd_config_for_each(i, next, conf) {
		snd_config_t *entry = snd_config_iterator_entry(i);
		const char *id;
		if (snd_config_get_id(entry, &id) < 0)
			continue;
		if (strcmp(id, "folder") == 0)
			snd_config_get_string(entry, &folder);
		else if (strcmp(id, "epoch") == 0)
			snd_config_get_string(entry, &epoch);
		else if (strcmp(id, "rate") == 0)
			snd_config_get_integer(entry, &rate);
		else if (strcmp(id, "channels") == 0)
			snd_config_get_integer(entry, &channels);
	}
	if (folder == NULL || epoch == NULL || rate <= 0 || channels <= 0) {
		SNDERR("bench_card needs folder, epoch, rate and channels");
		return -EINVAL;
	}

	struct card *card = calloc(1, sizeof *card);
	if (card == NULL)
		return -ENOMEM;
	card->room.side = stream == SND_PCM_STREAM_PLAYBACK ? "speaker" : "microphone";
	card->room.epoch_ns = atoll(epoch);
	card->room.rate = rate;
	card->room.frame_bytes = 2 * channels;
	int error = room_open(&card->room, folder);
	if (error < 0) {
		free(card);
		return error;
	}
	card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	card->io.version = SND_PCM_IOPLUG_VERSION;
	card->io.name = "bench card";
	card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA; /* the pointer never wraps: a whole ring at once is told from none */
	card->io.callback = &CALLBACKS;
	card->io.private_data = card;
	card->io.poll_fd = card->timer;
	card->io.poll_events = POLLIN;
	error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
	if (error < 0) {
		close(card->timer);
		room_close(&card->room);
		free(card);
		return error;
	}
	error = constrain(card, channels);
	if (error < 0) {
		snd_pcm_ioplug_delete(&card->io); /* closes the card as well */
		return error;
	}
	*pcmp = card->io.pcm;
	return 0;
}

SND_PCM_PLUGIN_SYMBOL(bench_card);
