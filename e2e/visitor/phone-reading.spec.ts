import {
  test as creatorTest,
  expect,
  expectAccessible,
  visitorTest as test,
} from '../support/fixtures.ts'
import {
  ADVICE,
  HINT,
  openReading,
  phoneOf,
  publishedPhone,
  READING,
  readingOf,
  TYPED,
} from '../support/phone-steps.ts'
import { translate } from '../support/translation.ts'
import { resumeRun } from '../support/visitor-steps.ts'

test('a visitor sees how a phone number is read, corrects it, and the reply is stored as typed', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, name, reading] = [
    phoneOf(visitor),
    visitor.getByLabel('Votre prénom ?'),
    readingOf(visitor),
  ]
  await expect(visitor.getByText(HINT)).toBeVisible()
  await expect(reading).toHaveText('')
  const before = await name.boundingBox()
  const leave = async (typed: string): Promise<void> => {
    await phone.fill('')
    await phone.pressSequentially(typed)
    await expect(reading).toHaveText('')
    await phone.press('Tab')
    await expect(name).toBeFocused()
  }
  await leave('0470/12.34.56')
  await expect(reading).toHaveText(READING)
  await expect(phone).toHaveAccessibleDescription(`${HINT} ${READING}`)
  await expectAccessible(visitor)
  // A French number is none of Belgium.
  await leave('06 12 34 56 78')
  await expect(reading).toHaveText(ADVICE)
  await expectAccessible(visitor)
  await leave('+33612345678')
  await expect(reading).toHaveText('Numéro compris : +33 6 12 34 56 78')
  expect(await name.boundingBox()).toEqual(before)
  await leave('   ')
  await expect(reading).toHaveText('')
  // A key that was taken back leaves the same number.
  await leave('02 555 12 12')
  await phone.focus()
  await phone.press('End')
  await phone.press('3')
  await expect(reading).toHaveText('')
  await phone.press('Backspace')
  await phone.press('Tab')
  await expect(reading).toHaveText('Numéro compris : +32 2 555 12 12')
  await leave('02 555 12 12')
  await expect(reading).toHaveText('Numéro compris : +32 2 555 12 12')

  await name.fill('Zoé')
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expect(visitor.getByText('2 / 2', { exact: true })).toBeVisible()
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expect(reading).toHaveText('Numéro compris : +32 2 555 12 12')
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.getByLabel('Votre ville ?').fill('Namur')
  await visitor.getByRole('button', { name: 'Envoyer' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Merci pour votre participation !',
  )
  await expect(async () => {
    const [newest] = (await creator.client.statistics.responses({ id })).details
    expect(newest?.answers.map(({ answer_text }) => answer_text)).toEqual([
      ...['02 555 12 12', 'Zoé', 'Namur'],
    ])
  }).toPass()
})

test('on a translated page, the reading of another number replaces the translated one', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishedPhone(creator.client)
  const errors: Error[] = []
  visitor.on('pageerror', (error) => errors.push(error))
  await openReading(visitor, id)
  const translateQuiz = () => translate(visitor, { root: '.q', mark: ['[', ']'] })
  const [phone, reading] = [phoneOf(visitor), readingOf(visitor)]
  await translateQuiz()
  await expect(visitor.getByText(`[${HINT}]`)).toBeVisible()
  await phone.fill(TYPED)
  await phone.press('Tab')
  await expect(reading).toHaveText(READING)
  await translateQuiz()
  await expect(reading).toHaveText('[Numéro compris : +32 470 12 34 56]')
  await phone.press('End')
  for (const _ of ' 34') await phone.press('Backspace')
  await expect(reading).toHaveText('')
  await phone.press('Tab')
  await expect(reading).toHaveText(ADVICE)
  await expect(visitor.locator('.q-reading font')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a number that the browser fills in is read without leaving the field', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  // As browsers fill in the fields of a person: with both events, and without the focus.
  await phoneOf(visitor).evaluate((field: HTMLInputElement) => {
    field.value = '0470123456'
    for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))
  })
  await expect(readingOf(visitor)).toHaveText(READING)
})

test('a number of a country that the page does not know has no reading, and no advice', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, reading] = [phoneOf(visitor), readingOf(visitor)]
  for (const typed of ['+44 7771 234567', '0044 7771 234567']) {
    await phone.fill('06 12 34 56 78')
    await phone.blur()
    await expect(reading).toHaveText(ADVICE)
    await phone.fill(typed)
    await phone.blur()
    await expect(reading).toHaveText('')
  }
  await phone.fill('+33 6 12')
  await phone.blur()
  await expect(reading).toHaveText(ADVICE)
})

test('a number of a resumed run is read at the focus, and a corrected number keeps its own reading', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, name] = [phoneOf(visitor), visitor.getByLabel('Votre prénom ?')]
  await phone.fill(TYPED)
  await phone.press('Tab')
  await expect(readingOf(visitor)).toHaveText(READING)
  await visitor.reload()
  await resumeRun(visitor)
  await expect(phone).toHaveValue(TYPED)
  await phone.focus()
  await expect(readingOf(visitor)).toHaveText(READING)
  await phone.fill('02 555 12 12')
  await phone.press('Tab')
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 2 555 12 12')
  // Each key shows the page again.
  await name.fill('Zoé')
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 2 555 12 12')
})

creatorTest('the preview reads numbers as the public page does', async ({ creator, page }) => {
  const id = await publishedPhone(creator.client)
  await page.goto(`/quiz/${id}/preview`)
  await expect(page.getByText(HINT)).toBeVisible()
  await phoneOf(page).fill(TYPED)
  await phoneOf(page).press('Tab')
  await expect(readingOf(page)).toHaveText(READING)
})
