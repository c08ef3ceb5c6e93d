import * as angle from '../numbers/angle.ts';
import { divide, multiply } from '../numbers/arithmetic.ts';
import { type Big, PI } from '../numbers/big.ts';
import { complexCosine, complexSine } from '../numbers/complex.ts';
import * as hyperbolic from '../numbers/logarithm.ts';
import { fromBig, type Real, toBig } from '../numbers/real.ts';
import { Quantity, radians } from '../units/quantity.ts';
import { type Definition, isComplex, ofReal, ofTwo, real } from './definition.ts';

/** Angles are radians unless they carry a unit: sin(30 deg) is 0.5. */
export const TRIGONOMETRY: readonly Definition[] = [
  ofAngle('sin', angle.sine, complexSine),
  ofAngle('cos', angle.cosine, complexCosine),
  ofReal('tan', 1200, angle.tangent, true),
  ofReal('sec', 600, (x) => angle.inverse(angle.cosine(x), 'sec'), true),
  ofReal('csc', 600, (x) => angle.inverse(angle.sine(x), 'csc'), true),
  ofReal('cot', 1200, (x) => angle.inverse(angle.tangent(x), 'cot'), true),
  ofReal('asin arcsin', 1600, angle.arcSine),
  ofReal('acos arccos', 1600, angle.arcCosine),
  ofReal('atan arctan', 1600, angle.arcTangent),
  ofTwo('atan2 arctan2', 1600, angle.angleOf),
  ofReal('sinh', 800, viaBig(hyperbolic.sinh)),
  ofReal('cosh', 800, viaBig(hyperbolic.cosh)),
  ofReal('tanh', 1600, viaBig(hyperbolic.tanh)),
  ofReal('asinh arcsinh', 600, viaBig(hyperbolic.asinh)),
  ofReal('acosh arccosh', 600, viaBig(hyperbolic.acosh)),
  ofReal('atanh arctanh', 600, viaBig(hyperbolic.atanh)),
  ofReal('degrees rad2deg', 60, (x) => multiply(x, fromBig(PI.pow(-1).times(180)))),
  ofReal('radians deg2rad', 60, (x) => divide(multiply(x, fromBig(PI)), 180n), true),
];

function ofAngle(name: string, onReal: (x: Real) => Real, onComplex: typeof complexSine): Definition {
  return {
    names: [name],
    min: 1,
    max: 1,
    cost: 600,
    run: ([value], { budget }) => {
      if (value instanceof Quantity) return onReal(radians(value, name));
      if (!isComplex(value)) return onReal(real(value, name));
      budget.spend(2000);
      return onComplex(value);
    },
  };
}

function viaBig(apply: (x: Big) => Big): (x: Real) => Real {
  return (x) => fromBig(apply(toBig(x)));
}
