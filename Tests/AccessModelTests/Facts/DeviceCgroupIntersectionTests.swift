import AccessModel
import Testing

@Suite struct `Two device lists together` {
  private func list(_ texts: [String]) -> DeviceCgroup {
    DeviceCgroup(
      defaultBehavior: .deny,
      exceptions: texts.map { text in
        let words = text.split(separator: " ")
        let numbers = words[1].split(separator: ":")
        return DeviceCgroup.Exception(
          isBlock: words[0] == "b", major: UInt32(numbers[0]), minor: UInt32(numbers[1]),
          read: words[2].contains("r"), write: words[2].contains("w"),
          makeNode: words[2].contains("m"))
      })
  }

  @Test(arguments: [
    (["c 81:* rw"], ["c 81:0 r"], ["c 81:0 r"]), (["c *:* rwm"], ["c 81:* rw"], ["c 81:* rw"]),
    (["c 81:0 r"], ["c 81:0 w"], []), (["c 81:0 rw"], ["b 81:0 rw"], []),
    (["c 81:0 rw"], ["c 81:1 rw"], []), ([], ["c *:* rwm"], []),
    (["c 1:3 rw", "c 81:* r"], ["c *:* rw"], ["c 1:3 rw", "c 81:* r"]),
  ])
  func `allow what both allow`(left: [String], right: [String], expected: [String]) throws {
    #expect(list(left).intersection(list(right)) == list(expected))
    #expect(list(right).intersection(list(left)) == list(expected))
  }

  @Test func `are not formed when they are too long`() {
    let long = list((0..<300).map { "c 1:\($0) rw" })
    #expect(long.intersection(long) == nil)
  }

  @Test func `agree with asking one after the other`() throws {
    let texts = ["c 81:0 rw", "c 81:* r", "c *:* w", "b 81:0 rw", "c 81:1 rwm"]
    for left in 0..<32 {
      for right in 0..<32 {
        func some(_ bits: Int) -> DeviceCgroup {
          list(texts.indices.filter { bits >> $0 & 1 == 1 }.map { texts[$0] })
        }
        let both = try #require(some(left).intersection(some(right)))
        for wanted in [Permissions.read, .write, [.read, .write]] {
          let number = DeviceNumber(major: 81, minor: 0)
          #expect(
            both.allows(number, isBlock: false, for: wanted)
              == (some(left).allows(number, isBlock: false, for: wanted)
                && some(right).allows(number, isBlock: false, for: wanted)))
        }
      }
    }
  }

  @Test func `an exception denies what it shares with the request if the list allows by default`() {
    let number = DeviceNumber(major: 81, minor: 0)
    let list = DeviceCgroup(
      defaultBehavior: .allow,
      exceptions: [
        .init(isBlock: false, major: 81, minor: nil, read: false, write: true, makeNode: false)
      ])
    #expect(list.allows(number, isBlock: false, for: .read))
    #expect(!list.allows(number, isBlock: false, for: .write))
    #expect(!list.allows(number, isBlock: false, for: [.read, .write]))
    #expect(list.allows(number, isBlock: true, for: [.read, .write]))
  }
}
