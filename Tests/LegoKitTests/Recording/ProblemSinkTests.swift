import Foundation
import LegoKit
import Synchronization
import Testing

@Suite struct `Misuse` {
  @Test func `is reported on standard error, and never on standard output`() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let rounds = Atomic(0)
      let answers = Answers { _, change in
        if rounds.wrappingAdd(1, ordering: .relaxed).newValue > 500 { return .empty }
        return Just(change).eraseToAnyPublisher()
      }
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers], runawayLimit: 100)
      lego.build(.label("echo"))
      exit(EXIT_SUCCESS)
    }
    let (output, errors) = (
      String(decoding: result?.standardOutputContent ?? [], as: UTF8.self),
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    )
    #expect(!output.contains("echo"))
    #expect(errors.contains("Counter: changes cause one another without end: .label(\"echo\")"))
  }
}
