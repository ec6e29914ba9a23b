import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { LEGAL_PAGES } from './legal-pages.ts'

const NAMED = {
  LEGAL_OPERATOR: 'Atelier <Démo> & Cie',
  LEGAL_ADDRESS: '1 rue de l’Exemple, 69000 Lyon',
  LEGAL_REGISTRATION: 'SIREN 000 000 000',
  LEGAL_CONTACT: 'contact@exemple.fr',
  LEGAL_PUBLISHER: 'La direction de l’atelier',
  LEGAL_HOST: 'Hébergeur d’exemple, 59000 Lille',
  LEGAL_DPO: 'dpo@exemple.fr',
}
const bare = await createBuiltApp()
const named = await createBuiltApp(NAMED)
after(async () => {
  await bare.close()
  await named.close()
})

const read = async (app: typeof bare, url: string): Promise<string> => {
  const { statusCode, headers, body } = await app.raw({ url })
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(headers['content-security-policy']), /script-src 'none'/)
  assert.equal(headers['x-frame-options'], 'DENY')
  return body
}

for (const [path, name] of Object.entries(LEGAL_PAGES))
  describe(`the legal page ${path}`, () => {
    test('a legal page is small, French, self-contained and linked to the other pages', async () => {
      const html = await read(named, path)
      assert.ok(Buffer.byteLength(html) < 12_288)
      assert.match(html, /<html lang="fr">/)
      assert.match(html, new RegExp(`<h1>${name}</h1>`))
      assert.doesNotMatch(html, /<script|src=|url\(|\p{L}'\p{L}/u)
      for (const other of Object.keys(LEGAL_PAGES)) assert.ok(html.includes(`href="${other}"`))
      assert.ok(!html.includes('class="missing"'))
      assert.ok(html.includes('contact@exemple.fr'))
    })

    test('a legal page names details that the operator has not given', async () => {
      const html = await read(bare, path)
      assert.ok(html.includes('class="missing"'))
      assert.ok(html.includes('Non renseigné par l’exploitant de ce site.'))
    })
  })

test('the legal notice leads to the licences of the libraries', async () => {
  const html = await read(bare, '/mentions-legales')
  assert.ok(html.includes('<a href="/licences.txt">Licences des bibliothèques</a>'))
})

test('every configured detail is shown as text', async () => {
  const pages = await Promise.all(Object.keys(LEGAL_PAGES).map((path) => read(named, path)))
  const all = pages.join('')
  for (const fact of Object.values(NAMED).slice(1)) assert.ok(all.includes(fact), fact)
  assert.ok(all.includes('Atelier &lt;Démo&gt; &amp; Cie'))
})
