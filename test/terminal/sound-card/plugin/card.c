/*
 * bench_card: an ALSA ioplug that behaves as a sound card does (run.h), for one rate and one number of channels.
 */
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

struct card {
	snd_pcm_ioplug_t io;
	struct run run;
	int timer; /* what the program polls: ticks once a period */
};

static int set_timer(struct card *card, int64_t first_ns, int64_t step_ns)
{
	struct itimerspec when = {
		.it_interval = { step_ns / 1000000000LL, step_ns % 1000000000LL },
		.it_value = { first_ns / 1000000000LL, first_ns % 1000000000LL },
	};
	return timerfd_settime(card->timer, TFD_TIMER_ABSTIME, &when, NULL) < 0 ? -errno : 0;
}

static int card_start(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	int64_t period_ns = io->period_size * 1000000000LL / io->rate;
	int error = run_start(&card->run);
	if (error < 0)
		return error;
	error = set_timer(card, room_now() + period_ns, period_ns);
	if (error < 0)
		run_stop(&card->run);
	return error;
}

static int card_stop(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	run_stop(&card->run);
	return set_timer(card, 0, 0);
}

/* A card that is gone says so by its state: alsa-lib takes every error of a pointer for an xrun. */
static int catch_up(struct card *card, int64_t *hw)
{
	int error = run_catch_up(&card->run, card->io.state == SND_PCM_STATE_DRAINING, hw);
	if (error == -ENODEV)
		snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
	return error;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	int64_t hw;
	return catch_up(card, &hw) == -EPIPE ? -EPIPE : hw;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
				       snd_pcm_uframes_t offset, snd_pcm_uframes_t size)
{
	struct card *card = io->private_data;
	char *data = (char *)areas->addr + (areas->first + areas->step * offset) / 8;
	if (card->run.playback)
		run_put(&card->run, data, size);
	else
		run_get(&card->run, data, size);
	return size;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params)
{
	struct card *card = io->private_data;
	(void)params;
	return run_set_buffer(&card->run, io->rate, io->buffer_size);
}

static int card_prepare(snd_pcm_ioplug_t *io)
{
	struct card *card = io->private_data;
	return run_prepare(&card->run);
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *pfd, unsigned count, unsigned short *revents)
{
	struct card *card = io->private_data;
	uint64_t ticks;
	int64_t hw;
	*revents = 0;
	if (count == 0 || !(pfd->revents & POLLIN) || read(card->timer, &ticks, sizeof ticks) < 0)
		return 0;
	int error = catch_up(card, &hw);
	int draining = io->state == SND_PCM_STATE_DRAINING;
	if (error == -ENODEV)
		*revents = POLLERR;
	/* A tick wakes the program even if a frame is missing to a period: it has taken that one before, and reads on. */
	else if (error < 0 || draining || run_ready(&card->run) > 0)
		*revents = card->run.playback ? POLLOUT : POLLIN;
	return 0;
}

static void discard(struct card *card)
{
	if (card->timer >= 0)
		close(card->timer);
	run_destroy(&card->run);
	room_close(&card->run.room);
	free(card);
}

static int card_close(snd_pcm_ioplug_t *io)
{
	discard(io->private_data);
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
		error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, card->run.room.rate, card->run.room.rate);
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
	card->run.playback = stream == SND_PCM_STREAM_PLAYBACK;
	card->run.room.side = card->run.playback ? "speaker" : "microphone";
	card->run.room.epoch_ns = atoll(epoch);
	card->run.room.rate = rate;
	card->run.room.frame_bytes = 2 * channels;
	int error = room_open(&card->run.room, folder);
	if (error < 0) {
		free(card);
		return error;
	}
	run_init(&card->run);
	card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (card->timer < 0) {
		error = -errno;
		discard(card);
		return error;
	}
	card->io.version = SND_PCM_IOPLUG_VERSION;
	card->io.name = "bench card";
	card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA; /* the pointer never wraps: a whole ring at once is told from none */
	card->io.callback = &CALLBACKS;
	card->io.private_data = card;
	card->io.poll_fd = card->timer;
	card->io.poll_events = POLLIN;
	error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
	if (error < 0) {
		discard(card);
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
