import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDeviceName } from './device-name.ts'

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
for (const [user_agent, name] of [
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0`,
    'Edge sur Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Chrome sur Linux'],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`, 'Chrome sur Android'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${APPLE} Version/18.0 Safari/604.1`,
    'Safari sur iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox sur Mac',
  ],
  ['node', 'Appareil inconnu'],
  [null, 'Appareil inconnu'],
] as const)
  test(`the user agent of the device has the name ${name}: ${user_agent}`, () =>
    assert.equal(formatDeviceName(user_agent), name))
