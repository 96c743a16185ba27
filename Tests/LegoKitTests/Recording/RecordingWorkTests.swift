import LegoKit
import Synchronization
import Testing

/// A key that counts how often its name is asked for.
private struct CountedKey: CodingKey {
  static let count = Atomic(0)
  let name: String
  var stringValue: String {
    Self.count.add(1, ordering: .relaxed)
    return name
  }
  var intValue: Int? { nil }

  init(_ name: String) { self.name = name }
  init?(stringValue: String) { name = stringValue }
  init?(intValue: Int) { nil }
}

/// A blueprint whose change has as many members, and nests as deeply, as is asked of it.
private struct Wide: Blueprint {
  struct Change: Equatable, Sendable, Encodable {
    var width: Int
    var depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CountedKey.self)
      for member in 0..<width { try container.encode(member, forKey: CountedKey("k\(member)")) }
      if depth > 0 {
        try container.encode(
          Change(width: width, depth: depth - 1), forKey: CountedKey("next"))
      }
    }
  }

  func change(_ design: inout Int, on change: Change) { design += 1 }
}

@Suite(.serialized) struct `Recording a change` {
  /// How often keys are asked for their names while a change is recorded.
  private func work(width: Int, depth: Int) -> Int {
    let lines = Collected<String>()
    let lego = Lego(0, blueprint: Wide())
    let token = lego.record(to: LogSink { lines.append($0) })
    let before = CountedKey.count.load(ordering: .relaxed)
    lego.build(.init(width: width, depth: depth))
    #expect(lines.values.first?.hasPrefix("{\"k0\":0") == true)
    token.cancel()
    return CountedKey.count.load(ordering: .relaxed) - before
  }

  @Test func `costs its builder as much for a member among many as among few`() {
    #expect(work(width: 200, depth: 0) == 200)
    #expect(work(width: 20_000, depth: 0) == 20_000)
  }

  @Test func `costs its builder as much for a level at a depth as at the top`() {
    #expect(work(width: 1, depth: 40) == 81)
    #expect(work(width: 1, depth: 400) == 801)
  }
}
