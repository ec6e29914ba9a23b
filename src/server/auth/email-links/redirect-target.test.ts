import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectTarget } from './redirects.ts'

const config = {
  public_url: 'https://quiz.example',
  auth: {
    redirect_urls: [
      'https://app.example/retour',
      'https://app.example/autre?fixe=1',
      'com.example.app://retour',
      'http://192.0.2.7/retour',
      'http://127.0.0.1:5173/',
    ],
  },
}
const target = (...texts: unknown[]) => redirectTarget(texts, config)
const HOME = 'https://quiz.example/'

test('redirects to our own origin and the listed addresses are allowed, with any query or fragment', () => {
  for (const good of [
    'https://quiz.example/dashboard?a=1#b',
    'https://app.example/retour',
    'https://app.example/retour?sb_flow_id=7#ici',
    'https://app.example/autre?autre=2',
    'com.example.app://retour?x=1',
    'http://127.0.0.1:5173/',
  ])
    assert.equal(target(good), good)
  assert.equal(target('HTTPS://QUIZ.example:443/x'), 'https://quiz.example/x')
})

test('any other redirect target is replaced by the home page', () => {
  for (const bad of [
    undefined,
    null,
    7,
    '',
    ['https://app.example/retour'],
    '/dashboard',
    '//evil.example',
    'https:evil.example',
    'https:\\\\evil.example',
    'http://quiz.example/',
    'https://quiz.example:444/',
    'https://quiz.example.evil.example/',
    'https://quiz.example@evil.example/',
    'https://evil.example@quiz.example/',
    'https://evil.example/?https://quiz.example/',
    'https://evil.example/#https://app.example/retour',
    'https://app.example/retour/',
    'https://app.example/retour/../autres',
    'https://app.example/',
    'https://sub.app.example/retour',
    'https://app.example./retour',
    'com.example.app://autre',
    'http://192.0.2.7/retour',
    'http://3221225991/retour',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://quiz.example\t.evil.example/',
    'https://quiz.example%2eevil.example/',
  ])
    assert.equal(target(bad), HOME, String(bad))
})

test('the first allowed target is used', () => {
  assert.equal(target('https://evil.example', 'https://quiz.example/x'), 'https://quiz.example/x')
})
