/** Process that plays a compromised image decoder. The attack is named on standard input. */
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const MIB = 1_048_576

const attacks: Record<string, () => void> = {
  hang: () => {
    for (;;);
  },
  allocate: () => {
    for (const kept: Buffer[] = []; ; ) kept.push(Buffer.alloc(64 * MIB, 1))
  },
  flood: () => {
    setInterval(() => process.stdout.write('x'.repeat(MIB)), 0)
  },
  crash: () => process.abort(),
  junk: () => process.stdout.write('{"width":1}\n'),
  wrong_size: () =>
    process.stdout.write(
      '{"width":9,"height":9,"color":"#000000","is_opaque":true,"is_animated":false,"files":[{"size":400,"length":9}]}\nab',
    ),
  look_around: () => {
    const variables = Object.keys(process.env).filter(
      (name) => !/^(_|PWD|OLDPWD|SHLVL)$/.test(name),
    )
    process.stdout.write(variables.length === 0 ? '{"refusal":"broken"}\n' : '{}\n')
  },
  write: () => {
    writeFileSync(`/tmp/quizaine-${process.pid}`, 'x')
    process.stdout.write('{"refusal":"broken"}\n')
  },
}

process.stdout.write('+')
attacks[await text(process.stdin)]?.()
