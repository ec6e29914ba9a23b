import type { MeasuredSite } from '../measured-site.ts'

/** Response to a submitted form of the page without scripts. */
export type FormResponse = { status: number; bytes: number; text: string }

/** Submits the form of a quiz page as a browser without scripts does, and requests the page with index `page`. */
export const postForm = async (
  { origin }: Pick<MeasuredSite, 'origin'>,
  quiz_id: string,
  fields: Record<string, string>,
  page = 1,
): Promise<FormResponse> => {
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
