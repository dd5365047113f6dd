import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { orderLongFiles } from './long-files.ts';

/**
 * Files of the other tiers in the usual order of vitest, one tier after the other: a worker serves one tier, and where they
 * take turns it is started anew. Then long files in their order, which does not depend on earlier runs.
 */
export default class TierSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ project }: TestSpecification) => project.name === 'long';
    const path = ({ moduleId }: TestSpecification) => relative(this.ctx.config.root, moduleId);
    const long = new Map(files.filter(isLong).map(file => [path(file), file]));
    const others = await super.sort(files.filter(file => !isLong(file)));
    const isFast = ({ project }: TestSpecification) => project.name === 'fast';
    return [
      ...others.filter(isFast),
      ...others.filter(file => !isFast(file)),
      ...orderLongFiles([...long.keys()]).map(file => long.get(file)!),
    ];
  }
}
