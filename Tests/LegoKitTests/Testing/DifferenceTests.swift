import LegoKit
import Testing

@Suite struct `The difference of two values` {
  private struct Box: Equatable {
    var tags: Set<String> = []
    var rooms: [String: Room] = [:]
    var numbers: [Int] = []
  }

  private struct Room: Equatable {
    var name: String
    var lamps = 0
  }

  /// A value that hides what makes it differ.
  private final class Opaque: Equatable, CustomStringConvertible, CustomReflectable {
    let number: Int

    init(_ number: Int) { self.number = number }

    var description: String { "opaque" }
    var customMirror: Mirror { Mirror(self, children: []) }

    static func == (left: Opaque, right: Opaque) -> Bool { left.number == right.number }
  }

  private func difference<Value>(_ old: Value, _ new: Value) -> [String] {
    Difference(from: old, to: new).entries.map(\.description)
  }

  /// Equal sets and dictionaries have another order each time they are made.
  @Test func `leaves out equal sets and dictionaries whatever their order`() {
    for count in 0..<200 {
      let words = (0..<count).map { "word \($0)" }
      var (left, right) = (Set<String>(minimumCapacity: 1_000), Set<String>())
      for word in words { left.insert(word) }
      for word in words.reversed() { right.insert(word) }
      #expect(difference(left, right) == [])
      let (first, second) = (
        Dictionary(uniqueKeysWithValues: left.map { ($0, Room(name: $0)) }),
        Dictionary(uniqueKeysWithValues: right.map { ($0, Room(name: $0)) })
      )
      #expect(difference(first, second) == [])
      #expect(
        difference(
          Box(tags: left, rooms: first, numbers: [1]), Box(tags: right, rooms: second, numbers: [2])
        )
          == ["numbers[0]: 1 → 2"])
    }
  }

  @Test func `lists the members of sets that differ in order`() {
    let (old, new) = (Box(tags: ["c", "b", "a"]), Box(tags: ["b", "e", "d"]))
    #expect(difference(old, new) == [#"tags: ["a", "b", "c"] → ["b", "d", "e"]"#])
  }

  @Test func `lists the values of a dictionary by their keys`() {
    let old = [
      "attic": Room(name: "Attic"), "hall": Room(name: "Hall"), "shed": Room(name: "Shed"),
    ]
    let new = [
      "yard": Room(name: "Yard"), "hall": Room(name: "Hall", lamps: 2), "shed": old["shed"],
    ]
    .compactMapValues(\.self)
    #expect(
      difference(Box(rooms: old), Box(rooms: new)) == [
        #"rooms["attic"]: Room(name: "Attic", lamps: 0) → (none)"#,
        #"rooms["hall"].lamps: 0 → 2"#,
        #"rooms["yard"]: (none) → Room(name: "Yard", lamps: 0)"#,
      ])
  }

  @Test func `lists values that differ although they read the same`() {
    #expect(difference(Opaque(1), Opaque(2)) == ["value: opaque → opaque"])
    #expect(difference([Opaque(1)], [Opaque(2)]) == ["[0]: opaque → opaque"])
    #expect(difference(Double.nan, Double.nan) == ["value: nan → nan"])
    #expect(difference(Opaque(1), Opaque(1)) == [])
  }

  @Test func `describes a set in the same order each time`() {
    #expect(Description.of(Set((0..<9).reversed())) == "[0, 1, 2, 3, 4, 5, 6, 7, 8]")
  }
}
