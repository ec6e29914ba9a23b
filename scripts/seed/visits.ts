import { lastStep } from '#domain/visits.ts'

/** Of ten visits that begin, how many end before the last page. */
const LEAVING = 3

/** Tells the server how far visits of a published demo came: those of its participants, and of visitors who stopped on the way. */
export const visit = async (
  quiz_url: string,
  {
    nb_pages,
    nb_participants,
    random,
  }: { nb_pages: number; nb_participants: number; random: () => number },
): Promise<void> => {
  const last = lastStep(nb_pages)
  const stopping = Math.round((nb_participants * LEAVING) / (10 - LEAVING))
  const reached = [
    ...Array<number>(nb_participants).fill(last),
    ...Array.from({ length: stopping }, () => 1 + Math.floor(random() * (last - 1))),
  ]
  for (const step of reached) {
    const response = await fetch(`${quiz_url}/visite/1/0/${step}`, { method: 'POST' })
    if (!response.ok) throw new Error(`${response.status} for a visit of ${quiz_url}`)
  }
}
