import AccessModel
import Testing

/// What a read-only open reveals about opening the device for reading and writing.
@Suite struct `An attempt for less than was wanted` {
  private func answer(_ operation: Attempt.Operation, _ errno: Errno) -> Answer {
    Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.facts.attempts = [
        Attempt(path: "/dev/video0", operation: operation, flags: [.readOnly], errno: errno)
      ]
    }.explain().answer
  }

  @Test(
    arguments: [
      (.open, .success), (.stream, .success), (.stream, .busy), (.stream, .inputOutput),
    ] as [(Attempt.Operation, Errno)])
  func `grants nothing, also where the stream failed behind the open`(
    operation: Attempt.Operation, errno: Errno
  ) {
    #expect(answer(operation, errno) == .undetermined)
  }

  @Test(
    arguments: [
      (.open, .notPermitted), (.open, .busy), (.stream, .permissionDenied),
    ] as [(Attempt.Operation, Errno)])
  func `refuses the whole where it was refused`(operation: Attempt.Operation, errno: Errno) {
    #expect(answer(operation, errno) == .refused)
  }
}
