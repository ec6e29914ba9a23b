import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createProgressScene, type ScenePerson } from '#server/testing/app/progress-scene.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { publishSkillsQuiz } from '#server/testing/quizzes/skills-quiz.ts'

const scene = await createProgressScene()

/** Six people who replied to both campaigns, one who replied only before, and one only after. */
const people = (): ScenePerson[] => [
  ...[0, 1, 2, 3, 4, 5].map((rank) => ({
    email: scene.newAddress(`p${rank}`),
    first_name: `Prénom${rank}`,
    group_name: rank < 5 ? 'Nord' : 'Sud',
    before: [rank, 5, 0],
    after: [rank + 2, 5, 10],
  })),
  { email: scene.newAddress('avant'), before: [1, 1, 1], after: null },
  { email: scene.newAddress('apres'), before: null, after: [9, 9, 9] },
]

describe('two campaigns of one questionnaire', () => {
  test('people are compared person by person, also by group, from the named campaign or a given one', async () => {
    const { creator, before, after } = await scene.runBoth(people())
    const { client } = creator
    const empty = await client.progress.get(after.key)
    assert.equal(empty.progress, null)
    assert.deepEqual(
      empty.candidates.map(({ campaign_id, quiz_name }) => [campaign_id, quiz_name]),
      [[before.campaign_id, 'Compétences']],
    )
    const { progress } = await client.progress.get({ ...after.key, before: before.campaign_id })
    assert.ok(progress)
    assert.deepEqual(
      [progress.is_paired, progress.nb_before, progress.nb_after, progress.nb_people],
      [true, 7, 7, 6],
    )
    const [score, listening, sales, management] = progress.measures
    assert.deepEqual(
      progress.measures.map(({ name, nb_after }) => [name, nb_after]),
      [
        ['Score', 6],
        ['Écoute', 6],
        ['Vente', 6],
        ['Gestion', 6],
      ],
    )
    assert.deepEqual(listening?.change, {
      before_mean: 25,
      after_mean: 45,
      mean: 20,
      low: 20,
      high: 20,
    })
    assert.equal(sales?.change?.mean, 0)
    assert.equal(management?.change?.mean, 100)
    // 12 points more of 32, each percent rounded down as on certificates.
    assert.ok(Math.abs((score?.change?.mean ?? 0) - 37.5) < 1)
    assert.deepEqual(
      progress.groups.map(({ group_name, measures }) => [
        group_name,
        measures[1]?.nb_after,
        measures[1]?.change?.mean ?? null,
      ]),
      [
        ['Nord', 5, 20],
        ['Sud', 1, null],
      ],
    )

    await client.progress.setBefore({
      ...after.key,
      body: { before_campaign_id: before.campaign_id },
    })
    const named = await client.progress.get(after.key)
    assert.equal(named.before_campaign_id, before.campaign_id)
    assert.deepEqual(named.progress, progress)
    await client.progress.setBefore({ ...after.key, body: { before_campaign_id: null } })
    assert.equal((await client.progress.get(after.key)).progress, null)
  })

  test('the file has one line for each person who replied twice, also as a workbook, and its link works once', async () => {
    const all = people()
    const { creator, before, after } = await scene.runBoth(all)
    const order = { ...after.key, body: { before: before.campaign_id, format: 'csv' as const } }
    const { url, file_name } = await creator.client.progress.people(order)
    assert.match(file_name, /^Évolution - Après la formation - .*\.csv$/)
    const answer = await scene.raw({ method: 'GET', url })
    assert.equal(answer.statusCode, 200)
    const lines = answer.body.trim().split('\r\n')
    assert.equal(
      lines[0]?.replace(/^Date \(après\)[^,]*/, 'Date'),
      'Date,Email,Prénom,Nom,Groupe,Score avant (%),Score après (%),Score : évolution (points),Écoute avant (%),Écoute après (%),Écoute : évolution (points),Vente avant (%),Vente après (%),Vente : évolution (points),Gestion avant (%),Gestion après (%),Gestion : évolution (points)',
    )
    assert.equal(lines.length, 7)
    assert.match(lines[1] ?? '', /,p0-[^,]+,Prénom0,,Nord,21,59,38,0,20,20,50,50,0,0,100,100$/)
    assert.equal((await scene.raw({ method: 'GET', url })).statusCode, 403)
    const xlsx = await creator.client.progress.people({
      ...order,
      body: { ...order.body, format: 'xlsx' },
    })
    const { rawPayload } = await scene.raw({ method: 'GET', url: xlsx.url })
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
    for (const { email, before: first, after: second } of all)
      assert.equal(sheet.includes(email), first !== null && second !== null)
  })

  test('fewer than five people have no mean and no interval', async () => {
    const { creator, before, after } = await scene.runBoth(people().slice(0, 4))
    const { progress } = await creator.client.progress.get({
      ...after.key,
      before: before.campaign_id,
    })
    assert.equal(progress?.nb_people, 4)
    for (const { change, nb_after } of progress?.measures ?? [])
      assert.deepEqual([change, nb_after], [null, 4])
  })
})

describe('campaigns of two questionnaires', () => {
  test('are compared by dimensions of the same names', async () => {
    const creator = await scene.signUp()
    const all = people()
    const first = await publishSkillsQuiz(creator.client, { name: 'Bilan de départ' })
    const second = await publishSkillsQuiz(creator.client, {
      name: 'Bilan final',
      skills: [' ÉCOUTE', 'Projet'],
    })
    const before = await scene.runCampaign(creator, first, all, 'before')
    const after = await scene.runCampaign(creator, second, all, 'after')
    const { progress, candidates } = await creator.client.progress.get({
      ...after.key,
      before: before.campaign_id,
    })
    assert.deepEqual(
      candidates.map(({ quiz_name }) => quiz_name),
      ['Bilan de départ'],
    )
    assert.deepEqual(
      progress?.measures.map(({ name, change }) => [name.trim(), change?.mean]).slice(1),
      [['ÉCOUTE', 20]],
    )
    assert.deepEqual(progress?.left_out_dimensions, ['Vente', 'Gestion', 'Projet'])
  })

  test('without a common dimension they are refused, and so is a campaign that began later', async () => {
    const creator = await scene.signUp()
    const all = people()
    const first = await publishSkillsQuiz(creator.client)
    const second = await publishSkillsQuiz(creator.client, { skills: ['Autre chose'] })
    const before = await scene.runCampaign(creator, first, all, 'before')
    const after = await scene.runCampaign(creator, second, all, 'after')
    const { client } = creator
    const body = { before_campaign_id: before.campaign_id }
    await refuses(
      client.progress.get({ ...after.key, before: before.campaign_id }),
      409,
      'not_comparable',
    )
    await refuses(client.progress.setBefore({ ...after.key, body }), 409, 'not_comparable')
    await refuses(
      client.progress.get({ ...before.key, before: after.campaign_id }),
      409,
      'not_comparable',
    )
    await refuses(
      client.progress.get({ ...before.key, before: before.campaign_id }),
      409,
      'not_comparable',
    )
    assert.deepEqual((await client.progress.get(after.key)).candidates, [])
  })
})

describe('an anonymous campaign', () => {
  test('is compared by means only, has no table of people and cannot be named', async () => {
    const creator = await scene.signUp()
    const quiz = await publishSkillsQuiz(creator.client)
    const all: ScenePerson[] = Array.from({ length: 10 }, (_, rank) => ({
      email: scene.newAddress(`a${rank}`),
      before: [2, 5, 1],
      after: [rank % 2 ? 6 : 4, 5, 1],
    }))
    const before = await scene.runCampaign(creator, quiz, all, 'before')
    const after = await scene.runCampaign(creator, quiz, all, 'after', { is_anonymous: true })
    const { client } = creator
    await client.campaigns.update({ ...after.key, body: { status: 'ended' } })
    const answer = await client.progress.get({ ...after.key, before: before.campaign_id })
    const { progress } = answer
    assert.deepEqual([progress?.is_paired, progress?.nb_people], [false, null])
    const change = progress?.measures[1]?.change
    assert.equal(change?.mean, 30)
    assert.ok((change?.low ?? 0) < 30 && (change?.high ?? 0) > 30)
    for (const { email } of all) assert.ok(!JSON.stringify(answer).includes(email))
    const body = { before: before.campaign_id, format: 'xlsx' as const }
    await refuses(client.progress.people({ ...after.key, body }), 409, 'anonymous_campaign')
    const named = { before_campaign_id: before.campaign_id }
    await refuses(
      client.progress.setBefore({ ...after.key, body: named }),
      409,
      'anonymous_campaign',
    )
  })
})

describe('another creator', () => {
  test('reaches neither campaign, not even through a campaign of their own', async () => {
    const { creator, before, after } = await scene.runBoth(people().slice(0, 5))
    const stranger = await scene.signUp()
    const own = await scene.runBoth(people().slice(0, 1), stranger)
    const foreign = before.campaign_id
    await refuses(stranger.client.progress.get({ ...after.key, before: foreign }), 404, 'not_found')
    await refuses(
      stranger.client.progress.get({ ...own.after.key, before: foreign }),
      404,
      'not_found',
    )
    const body = { before_campaign_id: foreign }
    await refuses(stranger.client.progress.setBefore({ ...own.after.key, body }), 404, 'not_found')
    const order = { format: 'csv' as const, before: foreign }
    await refuses(
      stranger.client.progress.people({ ...own.after.key, body: order }),
      404,
      'not_found',
    )
    const { url } = await creator.client.progress.people({ ...after.key, body: order })
    const token = url.split('token=')[1] ?? ''
    const { key } = own.after
    const moved = `/api/v1/quizzes/${key.id}/progress/download?token=${token}`
    assert.equal((await scene.raw({ method: 'GET', url: moved })).statusCode, 404, 'not_found')
    await creator.client.quizzes.remove({ id: after.quiz_id })
    assert.equal((await scene.raw({ method: 'GET', url })).statusCode, 404, 'not_found')
  })
})
