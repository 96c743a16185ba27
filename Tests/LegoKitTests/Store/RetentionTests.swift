import CMalloc
import Glibc
import LegoKit
import Synchronization
import Testing

/// What a store keeps of a change that is over: nothing.
///
/// Each test is a process of its own, because the allocator counts for all threads of one.
@Suite struct Retention {
  private static let changes = 1_000_000

  /// How many bytes are allocated now (mallinfo(3)).
  private static var allocated: Int { cmalloc_allocated_bytes() }

  /// Ends the process with success when a million changes leave as many bytes as they found.
  private static func expectNothingKept(
    _ store: Lego<Counter>, after changes: Int = changes
  ) {
    // Buffers grow to their size first.
    for number in 0..<10_000 { store.build(.add(number & 1)) }
    let before = allocated
    for number in 0..<changes { store.build(.add(number & 1)) }
    let kept = allocated - before
    guard kept <= 0 else {
      print("\(kept) bytes are kept of \(changes) changes")
      exit(EXIT_FAILURE)
    }
    exit(EXIT_SUCCESS)
  }

  @Test func `of changes that one observer is told`() async {
    await #expect(processExitsWith: .success) {
      let store = Lego(.init(), blueprint: Counter())
      let token = store.onDesignChange { _ in }
      Self.expectNothingKept(store)
      withExtendedLifetime(token) {}
    }
  }

  @Test func `of changes that an idle adaptor looks at`() async {
    await #expect(processExitsWith: .success) {
      let store = Lego(.init(), blueprint: Counter(), adaptors: [Answers { _, _ in .empty }])
      Self.expectNothingKept(store)
    }
  }

  @Test func `of changes that an adaptor answers`() async {
    await #expect(processExitsWith: .success) {
      let adaptor = Answers { _, change in
        change == .add(1) ? Just(.nothing).eraseToAnyPublisher() : .empty
      }
      let store = Lego(.init(), blueprint: Counter(), adaptors: [adaptor])
      Self.expectNothingKept(store, after: 300_000)
    }
  }

  @Test func `an observer that keeps something is found out`() async {
    await #expect(processExitsWith: .failure) {
      let store = Lego(.init(), blueprint: Counter())
      let kept = Mutex<[[Int]]>([])
      let token = store.onDesignChange { design in kept.withLock { $0.append([design.count]) } }
      Self.expectNothingKept(store, after: 10_000)
      withExtendedLifetime(token) {}
    }
  }
}
