import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { LightMyRequestResponse } from 'fastify'
import sharp, { type Color, type Sharp } from 'sharp'
import type { Image } from '#contract/images.ts'
import type { SignedUp, TestApp } from '#server/testing/app/test-app.ts'

/** Creates a picture of one colour. */
export const createFlatPicture = (width: number, height: number, background: Color = '#c8562a') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Creates a picture of noise, which compresses badly. */
export const createNoisePicture = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

/**
 * Picture that needs the most memory to decode: an AVIF of 40 megapixels in one semi-transparent colour with 12 bits.
 * Stored as a file, because encoding takes ten seconds.
 */
export const LARGEST_AVIF = readFileSync(new URL('./largest.avif', import.meta.url))

/** Sends bytes as a picture of this creator and returns the raw answer. */
export const sendPicture = (
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

/** Uploads a picture of this creator and returns the stored image. */
export const uploadPicture = async (
  app: TestApp,
  creator: Pick<SignedUp, 'access_token'>,
  picture: Sharp = createFlatPicture(600, 400),
): Promise<Image> => {
  const reply = await sendPicture(app, creator, await picture.png().toBuffer(), 'image/png')
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ image: Image }>().image
}
