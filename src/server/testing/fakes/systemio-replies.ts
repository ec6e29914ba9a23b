import type { FakeReply, FakeRequest } from './fake-server.ts'

const PROBLEM = { 'content-type': 'application/problem+json; charset=utf-8' }
const TYPE = 'https://tools.ietf.org/html/rfc2616#section-10'
const MIN_PAGE = 10
const MAX_PAGE = 100

/** Returns a refusal in the format of RFC 7807. */
export const problem = (
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): FakeReply => ({
  status,
  body: { type: TYPE, title: 'An error occurred', detail },
  headers: { ...PROBLEM, ...headers },
})

/** Returns a refusal that names the property. The code is constant, as at the real vendor, and must not be used. */
export const violation = (propertyPath: string, message: string): FakeReply => ({
  status: 422,
  body: {
    type: TYPE,
    title: 'An error occurred',
    detail: `${propertyPath}: ${message}`,
    violations: [{ propertyPath, message, code: '23bd9dbf-6b9b-41cd-a99e-4844bcf3077f' }],
  },
  headers: PROBLEM,
})

/** Returns a page of a list: `limit` items after the item with the id `startingAfter`. */
export const listPage = <T extends { id: number }>(
  { query }: FakeRequest,
  items: readonly T[],
  show: (item: T) => object,
): FakeReply => {
  const limit = Number(query.get('limit') ?? MIN_PAGE)
  if (!(limit >= MIN_PAGE && limit <= MAX_PAGE)) return violation('limit', '10 à 100')
  const after = query.get('startingAfter')
  const start = after ? items.findIndex(({ id }) => String(id) === after) + 1 : 0
  const page = items.slice(start, start + limit)
  return {
    status: 200,
    body: { items: page.map(show), hasMore: start + limit < items.length },
  }
}
