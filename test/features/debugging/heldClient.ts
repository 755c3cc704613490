import { holdToProtocol } from '../../support/debugProtocol.ts';
import { TestClient } from './client.ts';

/** A session's client to which nothing may be sent that the protocol doesn't have. */
export class HeldClient extends TestClient {
  constructor(...given: ConstructorParameters<typeof TestClient>) {
    super(...given);
    this.session.onDidSend(holdToProtocol);
  }
}
