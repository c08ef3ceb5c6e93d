import manifest from '../package.json' with { type: 'json' };

/** The version of the product; the bundler puts the text in its place. */
export const VERSION: string = manifest.version;
