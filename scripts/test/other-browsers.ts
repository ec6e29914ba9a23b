import { globSync } from 'node:fs'
import { delimiter } from 'node:path'

/** Names of the programs in Debian. */
export const FIREFOX = 'firefox-esr'
export const WEBKIT_DRIVER = 'WebKitWebDriver'
export const DISPLAY_SERVER = 'Xvfb'

/** Returns the path of WebKitGTK's browser; undefined if it is not installed. */
export const findMiniBrowser = (): string | undefined =>
  globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0]

const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => globSync(`${folder}/${program}`).length > 0)

/** Returns the Debian packages of the browsers and their tools that are missing on this machine. */
export const findMissingPackages = (): string[] =>
  [
    { name: 'firefox-esr', is_there: isInstalled(FIREFOX) },
    { name: 'webkit2gtk-driver', is_there: isInstalled(WEBKIT_DRIVER) && findMiniBrowser() },
    { name: 'xvfb', is_there: isInstalled(DISPLAY_SERVER) },
  ]
    .filter(({ is_there }) => !is_there)
    .map(({ name }) => name)
