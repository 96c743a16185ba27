import LegoKit

/// Measures a change to one of many parts, each of which an adaptor follows.
///
/// After each change, the store compares all parts with their previous values, because it does not
/// know which parts the blueprint has changed.
@concurrent func measureFollows() async {
  Report.shared.begin(
    "a change of one part of many, off the main actor",
    "an effect follows from a property of each part, and from the one that changes")
  let counts = [1, 1_000]
  let stores = counts.map { count in
    Lego(
      Shelf.Design(parts: (0..<count).map { Shelf.Part(id: $0) }),
      feature: Feature(Shelf()).each(
        \.parts, .case(Shelf.Change.part, \.part), Feature(PartRules(), adaptors: [Following()])))
  }
  for (count, store) in zip(counts, stores) {
    _ = await measure(
      Operation("\(count) parts are followed", count: 50_000 / count + 50) {
        for i in 0..<$0 { store.build(.part(0, .add(i | 1))) }
      }, rounds: 7)
  }
}

/// A design with many parts that count.
private struct Shelf: Blueprint {
  struct Part: Equatable, Sendable, Identifiable {
    let id: Int
    var count = 0
  }

  struct Design: Equatable, Sendable { var parts: [Part] }

  enum Change: Equatable, Sendable {
    case part(Int, Count.Change)

    var part: (Int, Count.Change)? {
      switch self {
      case .part(let id, let change): (id, change)
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {}
}

private struct PartRules: Blueprint {
  func change(_ design: inout Shelf.Part, on change: Count.Change) {
    if case .add(let amount) = change { design.count &+= amount }
  }
}

/// Follows a property whose value never changes in this benchmark.
private final class Following: Adaptor<PartRules> {
  override var follows: [Follow<PartRules>] { [Follow(\.isGreat) { _ in .none }] }
}

extension Shelf.Part {
  fileprivate var isGreat: Bool { count > 1 << 60 }
}
