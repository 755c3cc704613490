// Runners outside of this repository drive the debugger by this path.
export { TestClient, TestRecording } from '../../debugging/client.ts';
