import { tongueOf } from '../language.ts';
import { serve } from '../stdio.ts';
import { calculateBmi } from './bmi.ts';
import { echo } from './echo.ts';
import { getTime } from './get-time.ts';
import { weatherUrls } from './open-meteo.ts';
import { fetchWeather } from './weather.ts';
import { defaultZone } from './zones.ts';

const { env } = process;
const tongue = tongueOf(env);
void serve({
  name: 'everyday',
  tools: [
    getTime({ tongue, zone: defaultZone(env), wall: Date.now }),
    echo,
    calculateBmi(tongue),
    fetchWeather({ tongue, urls: weatherUrls(env) }),
  ],
});
