import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOwnPages, wordsOf } from '#server/testing/app/own-pages.ts'
import { createProgressScene, type ScenePerson } from '#server/testing/app/progress-scene.ts'
import { readPdf, withoutSpace } from '#server/testing/pdf/read-pdf.ts'

const scene = await createProgressScene()
const { open } = createOwnPages(scene)

const person = (more: Partial<ScenePerson> = {}): ScenePerson => ({
  email: scene.newAddress(),
  before: [2, 5, 10],
  after: [8, 5, 7],
  ...more,
})

/** Runs two campaigns, names the first as the one before, and returns the page and the report of a person. */
const openDocuments = async (all: ScenePerson[], { isNamed = true } = {}) => {
  const campaigns = await scene.runBoth(all)
  const { creator, before, after } = campaigns
  const body = { before_campaign_id: before.campaign_id }
  if (isNamed) await creator.client.progress.setBefore({ ...after.key, body })
  const read = async (email: string) => {
    const { own_page = '', report = '' } = after.documents.get(email) ?? {}
    const page = await open(own_page)
    const pdf = await scene.raw({ method: 'GET', url: report })
    assert.deepEqual([page.statusCode, pdf.statusCode], [200, 200])
    return { page: wordsOf(page), html: page.body, report: await readPdf(pdf.rawPayload) }
  }
  return { ...campaigns, read }
}

describe('« Ma page » and the report of a person who replied to both campaigns', () => {
  test('show the dimensions before and after, as radars and in words', async () => {
    const lea = person()
    const { read } = await openDocuments([lea, person()])
    const { page, html, report } = await read(lea.email)
    assert.match(page, /Avant et après Avant : .*\. Après : .*\. Le trait interrompu/)
    assert.match(page, /Écoute : de 20 % à 80 % \( \+60 points \)/)
    assert.match(page, /Vente : de 50 % à 50 % \( 0 point \)/)
    assert.match(page, /Gestion : de 100 % à 70 % \( −30 points \)/)
    assert.match(html, /class="q-then" points="0,-20 /)
    for (const words of ['Avant et après', 'de 20 % à 80 %', '+60 points', 'de 100 % à 70 %'])
      assert.ok(withoutSpace(report).includes(withoutSpace(words)), words)
  })

  test('show nothing of it unless the creator named the campaign, and nothing to a person who replied once', async () => {
    const lea = person()
    const unnamed = await openDocuments([lea], { isNamed: false })
    const first = await unnamed.read(lea.email)
    assert.doesNotMatch(first.page + first.report, /Avant et après/)
    const once = person({ before: null })
    const named = await openDocuments([once, lea])
    const second = await named.read(once.email)
    assert.doesNotMatch(second.page + second.report, /Avant et après/)
  })

  test('show nothing of it after the earlier reply was erased', async () => {
    const lea = person()
    const { creator, before, read } = await openDocuments([lea])
    const { people } = await creator.client.campaigns.people(before.key)
    await creator.client.participants.remove({
      id: before.quiz_id,
      participantId: people[0]?.participant_uuid ?? '',
    })
    const { page, report } = await read(lea.email)
    assert.doesNotMatch(page + report, /Avant et après/)
  })
})
