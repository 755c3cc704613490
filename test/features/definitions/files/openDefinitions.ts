// The definitions that are open in a window, over stores in memory.
import { silentLogger } from '../../../../src/base/logger.ts';
import { serviceTraits } from '../../../../src/domain/serviceTraits.ts';
import { OpenDefinitions } from '../../../../src/features/definitions/files/openDefinitions.ts';
import { RememberedBases } from '../../../../src/features/definitions/files/rememberedBases.ts';
import { SavedTexts } from '../../../../src/features/definitions/files/savedTexts.ts';
import { DefinitionTargets } from '../../../../src/ui/definitionTargets.ts';
import { DefinitionTexts } from '../../../../src/ui/definitionTexts.ts';
import { MemoryLinks } from '../../../support/memory/links.ts';
import { HandClock, MemoryRecords, MemoryState } from '../../../support/memory/ports.ts';

const keyPrefix = (): string => 'svc_sk_';

export function openWindow({ clock = new HandClock(), records = new MemoryRecords() } = {}) {
  const definitionTexts = new DefinitionTexts({
    clock,
    definitionTargets: new DefinitionTargets(new MemoryLinks()),
    services: { traits: () => serviceTraits.remote },
  });
  const texts = new SavedTexts(new MemoryState(), keyPrefix);
  const bases = new RememberedBases({ records, clock, keyPrefix });
  const open = new OpenDefinitions(bases, texts, { clock, definitionTexts, logger: silentLogger });
  return {
    open,
    texts,
    /** Nobody tells that documents are closed. */
    end: (): void => {
      open.dispose();
      definitionTexts.dispose();
    },
  };
}
