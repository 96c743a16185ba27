import LegoPublishers
import RaceRounds
import Synchronization
import Testing

/// Notes what is printed, and whether two write at once.
private struct Paper: TextOutputStream, Sendable {
  final class Notes: Sendable {
    let text = Mutex("")
    let isBusy = Atomic(false)
    let clashes = Atomic(0)
  }

  let notes = Notes()

  var lines: [String] { notes.text.withLock { $0.split(separator: "\n").map(String.init) } }

  func write(_ string: String) {
    if notes.isBusy.exchange(true, ordering: .acquiringAndReleasing) {
      notes.clashes.add(1, ordering: .relaxed)
    }
    notes.text.withLock { $0 += string }
    notes.isBusy.store(false, ordering: .releasing)
  }
}

@Suite struct `A publisher that prints` {
  @Test func `prints each event in its order`() {
    let paper = Paper()
    let probe = Probe<Int, Failed>(demand: .max(1))
    let subject = PassthroughSubject<Int, Failed>()
    subject.print("numbers", to: paper).subscribe(probe)
    subject.send(1)
    probe.request(.unlimited)
    subject.send(2)
    subject.send(completion: .failure(Failed()))
    #expect(paper.lines.first?.hasPrefix("numbers: receive subscription: (") == true)
    #expect(
      Array(paper.lines.dropFirst()) == [
        "numbers: request max(1)", "numbers: receive value: (1)", "numbers: request unlimited",
        "numbers: receive value: (2)", "numbers: receive error: (Failed())",
      ])
  }

  @Test func `prints without a prefix, and a cancellation`() {
    let paper = Paper()
    let token = [1].publisher.append(Empty(completeImmediately: false)).print(to: paper)
      .sink { _ in }
    token.cancel()
    #expect(
      Array(paper.lines.dropFirst()) == [
        "request unlimited", "receive value: (1)", "receive cancel",
      ])
    let ended = Paper()
    withExtendedLifetime([1].publisher.print(to: ended).sink { _ in }) {}
    #expect(ended.lines.last == "receive finished")
  }

  @Test func `prints each line once and whole, whichever thread it comes from`() {
    let count = raceRounds(10_000)
    let paper = Paper()
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.print(to: paper).sink { _ in }
    onBothThreads(
      { for _ in 0..<count { subject.send(1) } }, { for _ in 0..<count { subject.send(2) } })
    let counts = Dictionary(grouping: paper.lines.dropFirst(2), by: \.self).mapValues(\.count)
    #expect(counts == ["receive value: (1)": count, "receive value: (2)": count])
    #expect(paper.notes.clashes.load(ordering: .relaxed) == 0)
    withExtendedLifetime(token) {}
  }
}
