// What a service offers: all that the contract says, and beyond it (section 9) what its responses or the user's overrides say. Never tried out.
import type { Disposable } from '../../base/disposable.ts';
import { type Observable, ObservableValue } from '../../base/event.ts';
import { ServiceError } from '../../domain/errors.ts';
import {
  capabilities,
  capabilitiesHeader,
  type Capability,
  contractCapabilities,
  type OperationName,
} from '../../protocol/operations.ts';
import type { OperationOverrides } from '../../protocol/operationOverrides.ts';

/** Of the capabilities that are an operation, and not a part of one. */
const operationOf: Partial<Record<(typeof capabilities)[number], OperationName>> = {
  cancel: 'cancelExecution',
  retry: 'retryExecution',
  draft: 'executeDraft',
  definition: 'getExecutionDefinition',
};

export class Capabilities implements Disposable {
  readonly #readOverrides: () => OperationOverrides;
  readonly #offered = new ObservableValue<ReadonlySet<Capability>>(new Set(contractCapabilities));
  /** The words of the header. */
  #advertised: readonly string[] = [];

  /** overrides: an operation that the user gave a place is offered. */
  constructor(overrides: () => OperationOverrides) {
    this.#readOverrides = overrides;
    this.#update();
  }

  get offered(): Observable<ReadonlySet<Capability>> {
    return this.#offered;
  }

  /** Takes what a response says. One without the header, such as a gateway's, changes nothing. */
  note(headers: { get(name: string): string | null }): void {
    const header = headers.get(capabilitiesHeader);
    this.#advertised = header?.split(',').map((word) => word.trim().toLowerCase()) ?? this.#advertised;
    this.#update();
  }

  /** Throws for an operation that isn't offered, before anything is sent. */
  demand(name: OperationName): void {
    this.#update();
    const capability = capabilities.find((each) => operationOf[each] === name);
    if (capability !== undefined) this.require(capability);
  }

  /** Throws for what isn't offered, before anything is sent. */
  require(capability: Capability): void {
    if (this.#offered.current.has(capability)) return;
    throw new ServiceError(
      { kind: 'notOffered', isNotAdvertised: true },
      `"${capability}" is not offered by this service.`,
    );
  }

  dispose(): void {
    this.#offered.dispose();
  }

  #update(): void {
    const overrides = this.#readOverrides();
    const beyond = capabilities.filter((each) => {
      const operation = operationOf[each];
      return (
        this.#advertised.includes(each) || (operation !== undefined && overrides[operation] !== undefined)
      );
    });
    const offered = [...contractCapabilities, ...beyond];
    const { current } = this.#offered;
    if (offered.length === current.size && offered.every((each) => current.has(each))) return;
    this.#offered.set(new Set(offered));
  }
}
