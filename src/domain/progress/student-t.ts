/** Quantile of Student's t distribution, for the 95 % intervals of means (docs/decisions/087). */

/** Probability below the upper end of a two-sided 95 % interval. */
const UPPER_PROBABILITY = 0.975

/** Coefficients of Lanczos' approximation of the gamma function (g = 7, n = 9). */
const LANCZOS = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_572e-6, 1.505_632_735_149_311_6e-7,
]
const LANCZOS_G = 7

/** Returns the natural logarithm of the gamma function, for x ≥ 0.5. */
const logGamma = (x: number): number => {
  const [first = 0, ...others] = LANCZOS
  const sum = others.reduce((total, term, index) => total + term / (x + index), first)
  const t = x + LANCZOS_G - 0.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

const MAX_ITERATIONS = 300
const PRECISION = 1e-14
/** Smallest value that a denominator may have, so that no division by 0 arises. */
const TINY = 1e-300

const atLeastTiny = (value: number): number => (Math.abs(value) < TINY ? TINY : value)

/** Returns the continued fraction of the incomplete beta function, by the method of Lentz. */
const betaFraction = (x: number, a: number, b: number): number => {
  let c = 1
  let d = 1 / atLeastTiny(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= MAX_ITERATIONS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let step = 1
    for (const coefficient of [even, odd]) {
      d = 1 / atLeastTiny(1 + coefficient * d)
      c = atLeastTiny(1 + coefficient / c)
      step = c * d
      fraction *= step
    }
    if (Math.abs(step - 1) < PRECISION) break
  }
  return fraction
}

/** Returns the regularised incomplete beta function of x between 0 and 1. */
const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const logFactor =
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)
  const factor = Math.exp(logFactor)
  // The fraction converges quickly on this side only; the other side follows by symmetry.
  return x < (a + 1) / (a + b + 2)
    ? (factor * betaFraction(x, a, b)) / a
    : 1 - (factor * betaFraction(1 - x, b, a)) / b
}

/** Returns the probability that a t variable is below t, for t ≥ 0. */
const cumulativeT = (t: number, degrees: number): number =>
  1 - 0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)

/** Value above every 97.5 % quantile for one degree of freedom or more, which is 12.706 at most. */
const MAX_QUANTILE = 13
const BISECTIONS = 60

const computeQuantile = (degrees: number): number => {
  let low = 0
  let high = MAX_QUANTILE
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2
    if (cumulativeT(middle, degrees) < UPPER_PROBABILITY) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Creates a function that returns the 97.5 % quantile for degrees of freedom ≥ 1, each of which is computed once. */
export const createTQuantiles = (): ((degrees: number) => number) => {
  const known = new Map<number, number>()
  return (degrees) => {
    const found = known.get(degrees) ?? computeQuantile(degrees)
    known.set(degrees, found)
    return found
  }
}
