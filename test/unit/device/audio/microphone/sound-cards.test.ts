import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardTitle, parseCards } from '../../../../../device/audio/microphone/sound-cards.ts';

const LIST = `**** List of CAPTURE Hardware Devices ****
card 1: Device [USB PnP Sound Device], device 0: USB Audio [USB Audio]
  Subdevices: 1/1
  Subdevice #0: subdevice #0
card 2: Mic_1 [会議用マイク [白]], device 3: Mic In [前 面]
  Subdevices: 0/1
`;

test('cards are read with their names, also with blanks, brackets and Japanese letters', () => {
  assert.deepEqual(parseCards(LIST), [
    { card: 1, id: 'Device', name: 'USB PnP Sound Device', device: 0, deviceName: 'USB Audio' },
    { card: 2, id: 'Mic_1', name: '会議用マイク [白]', device: 3, deviceName: '前 面' },
  ]);
  assert.deepEqual(parseCards('arecord: device_list:274: no soundcards found...\n'), []);
});

test('a device is told with the name of its card where it names one', () => {
  const cards = parseCards(LIST);
  assert.equal(cardTitle('hw:1,0', cards), 'hw:1,0 (USB PnP Sound Device)');
  assert.equal(cardTitle('plughw:CARD=Mic_1,DEV=3', cards), 'plughw:CARD=Mic_1,DEV=3 (会議用マイク [白])');
  assert.equal(cardTitle('default', cards), 'default');
  assert.equal(cardTitle('hw:7', cards), 'hw:7');
});
