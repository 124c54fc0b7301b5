/** `fair`: the service is as fast and as sure as this machine. `ordinary`: as ordinary.yaml says. */
export const WEATHERS = ['fair', 'ordinary'] as const;
export type WeatherName = (typeof WEATHERS)[number];

/** The highest scale of the weather, with which a slow change takes more than ten minutes. */
export const MAX_SCALE = 100;
