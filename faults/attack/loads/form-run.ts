import type { MeasuredSite } from '../measured-site.ts'

/** Answer to a form of a run without scripts. */
export type FormAnswer = { status: number; bytes: number; text: string }

/** Posts a page of a run as a browser without scripts does, and asks for the page with this index. */
export const postRun = async (
  { origin }: Pick<MeasuredSite, 'origin'>,
  quiz_id: string,
  fields: Record<string, string>,
  page = 1,
): Promise<FormAnswer> => {
  const response = await fetch(`${origin}/q/${quiz_id}?page=${page}&version=1&step=0`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': '203.0.113.9',
    },
    signal: AbortSignal.timeout(120_000),
    body: new URLSearchParams(fields).toString(),
  })
  const text = await response.text()
  return { status: response.status, bytes: Buffer.byteLength(text), text }
}
