import { readOutline } from '../clarity/outline.ts';
import { bindOutline, type ContractModel, outlineSource } from './contract-model.ts';
import { costVotingOutline } from './interfaces/cost-voting.ts';
import { poxOutline } from './interfaces/pox.ts';

/** A boot contract of which the devnet has the interface only. */
function outlinedModel(name: string, text: string): ContractModel {
  const outline = readOutline(text);
  return { name, source: outlineSource(name, outline), outline, functions: bindOutline(outline, {}) };
}

/** The first stacking contract, which ended with epoch 2.1. */
export const firstPoxModel = outlinedModel('pox', poxOutline);
export const costVotingModel = outlinedModel('cost-voting', costVotingOutline);
