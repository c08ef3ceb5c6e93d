import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfPort } from '../../../../device/terminal/port-fault.ts';

test('what the binding says of a port becomes the cause that its owner can act on', () => {
  for (const [text, code] of [
    ['Error: No such file or directory, cannot open /dev/ttyUSB0', 'TERMINAL_MISSING'],
    ['Error: No such device or address, cannot open /dev/ttyUSB0', 'TERMINAL_MISSING'],
    ['Error: Permission denied, cannot open /dev/ttyUSB0', 'TERMINAL_DENIED'],
    ['Error Resource temporarily unavailable Cannot lock port', 'TERMINAL_BUSY'],
    ['Error: Device or resource busy, cannot open /dev/ttyUSB0', 'TERMINAL_BUSY'],
    ['Error: Inappropriate ioctl for device setting custom baud rate of 7', 'TERMINAL_UNUSABLE'],
    ['Error: Input/output error, cannot open /dev/ttyS0', 'TERMINAL_UNUSABLE'],
  ] as const) {
    const fault = faultOfPort('/dev/serial/by-id/usb-x', new Error(text));
    assert.equal(fault.code, code, text);
    assert.match(fault.message, /^\/dev\/serial\/by-id\/usb-x: /);
  }
  const denied = Object.assign(new Error('stat'), { code: 'EACCES' });
  assert.equal(faultOfPort('/x', denied).code, 'TERMINAL_DENIED');
});
