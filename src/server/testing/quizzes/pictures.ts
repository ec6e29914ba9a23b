import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { LightMyRequestResponse } from 'fastify'
import sharp, { type Color, type Sharp } from 'sharp'
import type { Image } from '#contract/images.ts'
import type { SignedUp, TestApp } from '#server/testing/app/test-app.ts'

/** A picture of one colour. */
export const flat = (width: number, height: number, background: Color = '#c8562a') =>
  sharp({ create: { width, height, channels: 3, background } })

/** A picture that compresses badly: noise. */
export const noise = (width: number, height: number) =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: '#000' },
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

/**
 * The picture that takes most memory to decode: an AVIF of 40 megapixels, of one half transparent colour at 12 bits. It is
 * a file because encoding it takes ten seconds.
 */
export const LARGEST_AVIF = readFileSync(new URL('./largest.avif', import.meta.url))

/** Sends bytes as a picture of this creator. */
export const send = (
  app: TestApp,
  { access_token }: Pick<SignedUp, 'access_token'>,
  payload: Buffer,
  type = 'image/jpeg',
): Promise<LightMyRequestResponse> =>
  app.raw({
    method: 'POST',
    url: '/api/v1/images',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': type },
    payload,
  })

/** A picture that this creator has sent. */
export const upload = async (
  app: TestApp,
  creator: Pick<SignedUp, 'access_token'>,
  picture: Sharp = flat(600, 400),
): Promise<Image> => {
  const reply = await send(app, creator, await picture.png().toBuffer(), 'image/png')
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ image: Image }>().image
}
