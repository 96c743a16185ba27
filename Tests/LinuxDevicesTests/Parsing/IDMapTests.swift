import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct IDMapTests {
  @Test func `the map of the initial namespace is the identity`() throws {
    let map = try #require(IDMap(parsing: Array("         0          0 4294967295\n".utf8)))
    #expect(map.isIdentity)
    #expect(map.outside(4_294_967_294) == 4_294_967_294)
  }

  @Test func `identifiers are found in their range alone`() throws {
    let map = try #require(IDMap(parsing: Array("0 1000 1\n1 100000 65536\n".utf8)))
    #expect(!map.isIdentity)
    #expect(map.outside(0) == 1000)
    #expect(map.outside(1) == 100_000)
    #expect(map.outside(65536) == 165_535)
    #expect(map.outside(65537) == nil)
  }

  @Test func `a map without ranges maps nothing`() throws {
    let map = try #require(IDMap(parsing: []))
    #expect(map.outside(0) == nil)
    #expect(!map.isIdentity)
  }

  @Test(arguments: [
    "0 0", "0 0 0", "0 0 1 1", "a 0 1", "0 0 4294967296", "1 0 4294967295", "0 1 4294967295",
    "-1 0 1", "0 0 1\n0 0",
  ])
  func `a malformed map is none`(text: String) {
    #expect(IDMap(parsing: Array(text.utf8)) == nil)
  }

  @Test func `a hostile number of lines is refused`() {
    let text = String(repeating: "0 0 1\n", count: 100_000)
    #expect(IDMap(parsing: Array(text.utf8)) == nil)
  }

  @Test func `identifiers are numbered as outside, and the overflow one is unknown`() {
    let map = IDMap([.init(inside: 0, outside: 100_000, length: 65536)])
    var translator = IDTranslator(namespace: IDMapping(users: map, groups: map))
    #expect(translator.user(0) == 100_000)
    #expect(translator.group(44) == 100_044)
    #expect(!translator.metOverflow)
    // Unmapped entries of access control lists have the largest number.
    #expect(translator.user(.max) == .max)
    #expect(!translator.metOverflow)
    #expect(translator.user(65534) == 65534)
    #expect(translator.metOverflow)
    #expect(translator.insideUser(100_044) == 44)
    #expect(translator.insideUser(44) == nil)
  }

  @Test func `nothing is renumbered in the initial namespace`() {
    var translator = IDTranslator(namespace: nil)
    #expect(translator.user(65534) == 65534)
    #expect(!translator.metOverflow)
    #expect(translator.insideGroup(44) == 44)
  }
}
