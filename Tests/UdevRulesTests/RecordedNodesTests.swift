import AccessModel
import Foundation
import Testing
import UdevRules

/// Applies all rules of the distribution to the video nodes of real machines.
@Suite(
  .enabled(if: InstalledRulesTests.areDeviceRulesInstalled, "the rules of udev are not installed"))
struct RecordedNodesTests {
  static let rules: [UdevRuleFile] = InstalledRulesTests.names.compactMap { name in
    let path = "\(InstalledRulesTests.folder)/\(name)"
    return (try? Data(contentsOf: URL(filePath: path))).map {
      UdevRuleFile(path: path, bytes: [UInt8]($0), version: UdevRuleVersion(252, release: 39))
    }
  }

  static func reports(_ nodes: RecordedNodes, isReported: Bool) -> [UdevRuleReport] {
    let files = (rules + [nodes.ownRule].compactMap(\.self)).sorted { $0.path < $1.path }
    return nodes.names.map {
      UdevRuleSet(files).evaluate(
        nodes.event(of: $0), nodes.environment(of: $0, isReported: isReported))
    }
  }

  @Test func `every node of every machine is there`() {
    #expect(RecordedNodes.all.reduce(0) { $0 + $1.names.count } == 65)
    #expect(Set(RecordedNodes.all.map(\.machine)).count == 16)
  }

  @Test(arguments: RecordedNodes.all)
  func `tags and properties are those that udev recorded`(nodes: RecordedNodes) {
    for report in Self.reports(nodes, isReported: true) {
      #expect(report.tagsAreComplete && report.currentTagsAreComplete)
      // Before systemd had seats, other rules granted access.
      let isOld = nodes.tags == ["udev-acl"]
      if !isOld {
        #expect(report.tags == nodes.tags.subtracting(nodes.tagsOfOthers))
        if let current = nodes.current {
          #expect(report.currentTags == current.subtracting(nodes.tagsOfOthers))
        }
      }
      let asked = Set(nodes.properties.keys).union([
        "ID_V4L_VERSION", "ID_V4L_PRODUCT", "ID_V4L_CAPABILITIES", "ID_BUS", "ID_VENDOR_ID",
        "ID_MODEL_ID", "ID_SERIAL_SHORT", "ID_PATH", "ID_FOR_SEAT", "ID_SEAT",
      ])
      for name in asked where !isOld || name != "ID_FOR_SEAT" {
        #expect(report.propertyDoubts[name] == nil, "\(name)")
        #expect(report.recorded[name] == nodes.properties[name], "\(name)")
      }
      #expect(report.node.owner == .value(nil))
      #expect(report.node.group == .value(44))
      #expect(report.node.mode == .value(0o660))
    }
  }

  @Test(arguments: RecordedNodes.all)
  func `without what commands do, the tags are certain and the rest says what is missing`(
    nodes: RecordedNodes
  ) {
    var nodes = nodes
    nodes.names = Array(nodes.names.prefix(1))
    for (name, report) in zip(nodes.names, Self.reports(nodes, isReported: false)) {
      #expect(
        report.currentTags.isSuperset(of: nodes.ownRule == nil ? ["uaccess", "seat"] : ["seat"]))
      #expect(report.node.group == .value(44))
      #expect(report.recorded["ID_FOR_SEAT"] == nil)
      #expect(!report.propertiesAreComplete)
      let doubts = report.outcomes.flatMap { outcome -> [UdevRuleDoubt] in
        guard case .undetermined(let doubts) = outcome.verdict else { return [] }
        return doubts
      }
      #expect(doubts.contains(.program("v4l_id /dev/\(name)")))
    }
  }
}
