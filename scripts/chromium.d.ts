/** The Chromium (or Chrome) the browser tests drive: CHROMIUM_PATH, else where systems usually put it. */
export declare const findChromium: () => string | undefined;
export declare const NO_CHROMIUM = "The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.";
