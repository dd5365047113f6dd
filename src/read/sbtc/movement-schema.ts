import { Type } from 'typebox';
import { BoundedCursorList } from '../pages/cursor-list-schema.ts';
import { deposit } from './deposit-schema.ts';
import { withdrawal } from './withdrawal-schema.ts';

const SbtcMovement = Type.Union(
  [
    Type.Object({ type: Type.Literal('deposit'), ...deposit }, { title: 'SbtcMovement-deposit' }),
    Type.Object({ type: Type.Literal('withdrawal'), ...withdrawal }, { title: 'SbtcMovement-withdrawal' }),
  ],
  { title: 'SbtcMovement' },
);
export const SbtcMovementList = BoundedCursorList(SbtcMovement, 'SbtcMovementList');
