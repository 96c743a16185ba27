import Testing
import UdevRules

/// Tags of earlier events stay in the database, but not every version matches them.
@Suite struct TagTests {
  private static func environment(_ version: String, isNew: Bool?) -> UdevRuleEnvironment {
    var environment = Sample.environment
    environment.version = Sample.version(version)
    environment.isNewProcess = isNew
    return environment
  }

  /// Returns whether `TAG=="earlier"` and `TAGS=="earlier"` match, given that only an earlier event
  /// had this tag.
  private static func seesEarlier(_ version: String, isNew: Bool?) -> [Bool?] {
    [#"TAG=="earlier""#, #"TAGS=="earlier""#].map {
      Sample.holds($0, environment: environment(version, isNew: isNew))
    }
  }

  @Test(
    arguments: [
      ("247.3", true), ("249.17", true), ("250.10", true), ("252.5", true), ("258", false),
    ])
  func `some versions agree in all processes on earlier tags`(version: String, sees: Bool) {
    for isNew in [true, false, nil] {
      #expect(
        Self.seesEarlier(version, isNew: isNew) == [sees, sees], "\(String(describing: isNew))")
    }
  }

  @Test(arguments: ["250.11", "251.12", "252.6", "252.39", "253", "254.26", "257.13"])
  func `of other versions only a new process sees earlier tags`(version: String) {
    #expect(Self.seesEarlier(version, isNew: true) == [true, true])
    #expect(Self.seesEarlier(version, isNew: false) == [false, false])
    #expect(Self.seesEarlier(version, isNew: nil) == [nil, nil])
    let report = Sample.report(
      #"TAG=="earlier", MODE="0666""#, environment: Self.environment(version, isNew: nil))
    #expect(report.outcomes.map(\.verdict) == [.undetermined([.process])])
  }

  @Test func `what no reading of the tags changes is certain`() {
    #expect(Sample.holds(#"TAG=="none""#) == false)
    #expect(Sample.holds(#"TAG!="none""#) == true)
    let tagged = Sample.report(#"TAG+="earlier""#, #"TAG=="earlier", ENV{A}="1""#)
    #expect(tagged.recorded == ["A": "1"])
    let cleared = Sample.report(#"TAG="other""#, #"TAG!="earlier", ENV{A}="1""#)
    #expect(cleared.recorded == ["A": "1"])
  }

  @Test(
    arguments: [
      ("248.13", true), ("249", nil), ("249.15", true), ("249.16", false), ("252", nil),
      ("252.5", true), ("252.6", false), ("253", false), ("258", false),
    ] as [(String, Bool?)])
  func `a release decides whether earlier tags of parents count`(version: String, holds: Bool?) {
    let environment = Self.environment(version, isNew: nil)
    #expect(Sample.holds(#"TAGS=="bygone""#, environment: environment) == holds)
    #expect(Sample.holds(#"TAGS=="parental""#, environment: environment) == true)
  }

  @Test func `parents whose current tags are not known may have each of their tags`() {
    var event = Sample.event
    event.parents[1].currentTags = nil
    #expect(Sample.holds(#"TAGS=="bygone""#, event: event) == nil)
    #expect(Sample.holds(#"TAGS=="none""#, event: event) == false)
  }

  @Test func `when a device goes, the database tells which tags are current`() {
    var event = Sample.event
    event.action = "remove"
    event.record = UdevRuleEvent.Record(tags: ["earlier", "last"], currentTags: ["last"])
    #expect(Sample.holds(#"TAG=="last""#, event: event) == true)
    #expect(Sample.holds(#"TAG=="earlier""#, event: event) == false)
    var environment = Sample.environment
    environment.version = 247
    #expect(Sample.holds(#"TAG=="earlier""#, event: event, environment: environment) == true)
    event.record?.currentTags = nil
    #expect(Sample.holds(#"TAG=="last""#, event: event) == nil)
  }

  @Test func `properties that are made of tags and links are not imported blindly`() {
    let report = Sample.report(
      #"IMPORT{db}="TAGS", ENV{A}="1""#, #"ENV{TAGS}=="x", ENV{B}="1""#, #"ENV{C}="1""#)
    #expect(report.propertyDoubts["TAGS"] == .database)
    #expect(report.recorded == ["C": "1"])
    let parents = Sample.report(#"IMPORT{parent}="T*""#)
    #expect(parents.propertyDoubts["TAGS"] == .database)
    #expect(parents.outcomes.map(\.verdict) == [.matched])
  }
}
