import AccessModel
import Testing

@testable import DeviceAccessCommands

@Suite struct SnapshotTextTests {
  @Test("members with free names come in the order of their names")
  func order() throws {
    let names = (0..<24).map { "PROPERTY_\(Character(UnicodeScalar(UInt8(97 + $0))))" }
    var facts = try JSONReader.decode(
      AccessFacts.self, from: PackageResources.example_snapshot_json)
    facts.devices[0].properties = Dictionary(
      uniqueKeysWithValues: names.shuffled().map { ($0, "x") })
    facts.session?.activeUsers = Dictionary(
      uniqueKeysWithValues: names.map { ($0.replacing("PROPERTY", with: "seat"), 1000) })
    let text = try JSONWriter.encode(facts)
    let positions = try names.map { try #require(text.firstRange(of: "\"\($0)\"")).lowerBound }
    #expect(positions == positions.sorted())
    let seats = try names.map {
      try #require(text.firstRange(of: "\"\($0.replacing("PROPERTY", with: "seat"))\"")).lowerBound
    }
    #expect(seats == seats.sorted())
  }
}
