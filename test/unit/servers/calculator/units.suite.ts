import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectRefusals, expectValues, refused } from './answers.ts';

test('Quantities side by side add up, and convert', () => {
  expectValues([
    ['5 ft 7 in', '5.58333333333333 ft'],
    ['5 ft 7 in to cm', '170.18 cm'],
    ['5 ft + 7 in to cm', '170.18 cm'],
    ['5ft7in in cm', '170.18 cm'],
    ['1 h 30 min 15 s to s', '5415 s'],
    ['72 in to cm', '182.88 cm'],
    ['100 km to miles', '62.1371192237334 miles'],
    ['60 km/h to m/s', '16.6666666666667 m/s'],
    ['100 km per hour to mph', '62.1371192237334 mph'],
    ['10 m^2 to cm^2', '100000 cm^2'],
    ['1 acre to m2', '4046.8564224 m^2'],
    ['1000 kcal to kJ', '4184 kJ'],
    ['100 W * 2 h to kWh', '0.2 kWh'],
  ]);
});

test('Temperatures convert by their scales, and a temperature that is added is a difference', () => {
  expectValues([
    ['98.6 fahrenheit to celsius', '37 celsius'],
    ['20 °C to °F', '68 °F'],
    ['0 K to degC', '-273.15 degC'],
    ['20 degC + 9 degF', '25 degC'],
    ['30 degC - 20 degC', '10 degC'],
    ['20 degC == 68 degF', true],
  ]);
});

test('Data counts in thousands unless the unit says otherwise', () => {
  expectValues([
    ['1 TB to GB', '1000 GB'],
    ['1 TB == 1000 GB', true],
    ['1 TiB to GiB', '1024 GiB'],
    ['1 MB to KB', '1000 KB'],
    ['8 Mb to MB', '1 MB'],
    ['100 Mbps * 8 s to MB', '100 MB'],
  ]);
});

test('Units are multiplied and divided along', () => {
  expectValues([
    ['100 km / 2 h', '50 km/h'],
    ['60 mph * 2 h', '120 mi'],
    ['2 m * 50 cm', '1 m^2'],
    ['(2 m)^3', '8 m^3'],
    ['sqrt(16 m^2)', '4 m'],
    ['10 km / 2 km', 5],
    ['3 kWh / 2 h', '1.5 kW'],
    ['5 N * 2 m to J', '10 J'],
    ['9.8 m/s^2 * 2 s', '19.6 m/s'],
    ['7 h % 2 h', '1 h'],
    ['3 dozen', 36],
    ['5 million / 2', 2500000],
    ['(3+4) km', '7 km'],
    ['max(5 ft, 2 m)', '2 m'],
    ['mean([1 km, 500 m])', '0.75 km'],
    ['round(2.567 m, 1)', '2.6 m'],
  ]);
});

test('An angle with a unit goes into trigonometry as it is, one without is radians', () => {
  expectValues([
    ['sin(30 deg)', 0.5],
    ['sin(30°)', 0.5],
    ['cos(90 deg)', 0],
    ['sin(pi)', 0],
    ['sin(pi/6) == 1/2', true],
    ['tan(pi/4)', 1],
    ['sin(30)', -0.988031624092862],
    ['180 deg to rad', '3.14159265358979 rad'],
  ]);
});

test('Units that do not fit are refused', () => {
  expectRefusals('CALC_DOMAIN', [
    '5 kg + 3 m',
    '5 m to kg',
    '5 to m',
    '2 ** (3 m)',
    'sin(1 kg)',
    '5 kg < 3 m',
  ]);
  expectRefusals('CALC_SYNTAX', ['5 m to', '5 m to 3']);
});

test('Money is refused, and the sentence says that there are no exchange rates', () => {
  const questions = ['100 USD to JPY', '100ドル to 円', '$5+$3', '¥100', '100€', '3 dollars in yen', 'EUR'];
  expectRefusals('CALC_UNSUPPORTED', questions);
  for (const question of questions) assert.match(refused(question).message, /no exchange rates/);
});
