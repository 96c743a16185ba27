import LegoKit
import LegoTesting
import Observation
import Testing

@Suite struct `The names of LegoKit: the store` {
  // Row of FromLegoKit: `Lego`, `.init(_:blueprint:adaptors:)`
  @Test func `a lego is made as it is there, and of more if wanted`() async {
    let lego: Lego<BedBlueprint> = .init(
      .init(), blueprint: BedBlueprint(), adaptors: [WateringAdaptor()])
    let full = Lego(
      .init(), blueprint: BedBlueprint(), adaptors: [WateringAdaptor()], enableLogs: false,
      logSink: .nowhere, tracer: nil, runawayLimit: 10_000, backlog: .unlimited)
    for lego in [lego, full] {
      await lego.build(.requestAccess).finished()
      #expect(lego.design == .init(watering: .open, requests: 1))
    }
  }

  // Row of FromLegoKit: `design`, `build(_:)`
  @Test func `a build is in the design when it returns, from any thread`() async {
    let lego: Lego<BedBlueprint> = BedBlueprint.lego()
    lego.build(.plant("fern"))
    #expect(lego.design.plant == "fern")
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<1_000 {
            let before = lego.design.requests
            lego.build(.requestAccess)
            #expect(lego.design.requests > before)
          }
        }
      }
    }
    #expect(lego.design.requests == 2_000)
  }

  // Row of FromLegoKit: `glue(_:change:)`, `Binding`
  @Test func `a glue reads a value of the design, and writes it by a change`() {
    let lego: Lego<BedBlueprint> = BedBlueprint.lego()
    let text: Glue<String> = lego.glue(\.plant, change: { .plant($0) })
    text.wrappedValue = "fern"
    #expect(text.wrappedValue == "fern" && lego.design.plant == "fern")
  }

  // Row of FromLegoKit: `enableLogs`
  @Test func `a log has the differences of each change`() {
    let lines = Collected<String>()
    let lego = Lego(
      .init(), blueprint: BedBlueprint(), enableLogs: true, logSink: LogSink { lines.append($0) })
    lego.build(.plant("fern"))
    #expect(lines.values.count == 1)
    #expect(lines.values.first?.contains("plant: \"\" → \"fern\"") == true)
    let quiet = Lego(
      .init(), blueprint: BedBlueprint(), enableLogs: false, logSink: LogSink { lines.append($0) })
    quiet.build(.plant("fern"))
    #expect(lines.values.count == 1)
  }

  private enum StoreService: Service {
    static let contractor = Lego(NurseryBlueprint.Design(), blueprint: NurseryBlueprint())
    static let testContractor: Lego<NurseryBlueprint>? = contractor
  }

  // Row of FromLegoKit: `@EnvironmentObject`, `environmentObject(_:)`
  @Test func `what shows a design finds its store among the contractors`() {
    struct ContentView: Sendable {
      @Contractor({ _ in Contractors[StoreService.self] }) var lego
    }
    let (one, other) = (ContentView(), ContentView())
    #expect(one.lego === other.lego)
    one.lego.build(.bed(.plant("fern")))
    #expect(other.lego.design.bed.plant == "fern")
  }

  // Row of FromLegoKit: `@ObservedObject`
  @Test func `a design is observed by sequences, closures and observation`() async {
    let lego: Lego<BedBlueprint> = BedBlueprint.lego()
    let told = Collected<String>()
    let token = lego.onDesignChange { told.append($0.plant) }
    var designs = lego.designs.makeAsyncIterator()
    var observed = Observations { lego.design }.makeAsyncIterator()
    #expect(await designs.next()?.plant == "")
    #expect(await observed.next()?.plant == "")
    lego.build(.plant("fern"))
    #expect(told.values == ["fern"])
    #expect(await designs.next()?.plant == "fern")
    #expect(await observed.next()?.plant == "fern")
    token.cancel()
  }

  // Row of FromLegoKit: `App`, `Scene`, `WindowGroup`, `@main`
  @Test func `a store lives as long as a variable refers to it`() async {
    final class Ended: Adaptor<BedBlueprint> {
      let told: Collected<String>
      init(_ told: Collected<String>) { self.told = told }
      override func ended(_ design: BedBlueprint.Design) -> (@Sendable () async -> Void)? {
        { [told] in told.append(design.plant) }
      }
    }
    let told = Collected<String>()
    do {
      let lego = await Task.detached { BedBlueprint.lego([Ended(told)]) }.value
      lego.build(.plant("fern"))
      #expect(told.values.isEmpty)
    }
    while told.values.isEmpty { await Task.yield() }
    #expect(told.values == ["fern"])
  }

  // Row of FromLegoKit: `View`, `body`, `Group`, `VStack`, `Text`, `TextField`, `Button`, `Spacer`, `padding()`, `font(_:)`
  @Test func `a program draws the designs, and its widgets write to a glue`() async {
    struct TextField {
      let text: Glue<String>
      func type(_ letters: String) { text.wrappedValue += letters }
    }
    let lego = Lego(NurseryBlueprint.Design(), blueprint: NurseryBlueprint())
    TextField(text: lego.glue(\.bed.plant) { .bed(.plant($0)) }).type("fern")
    var drawn = ""
    for await design in lego.designs {
      drawn = "\(design.title): \(design.bed.plant)"
      break
    }
    #expect(drawn == "Nursery: fern")
  }

  private struct Yard: Blueprint {
    struct Design: Equatable, Sendable {
      var bed: BedBlueprint.Design?
    }

    enum Change: Equatable, Sendable, PayloadReadable {
      case dig
      case bed(BedBlueprint.Change)

      var payload: Any? {
        switch self {
        case .bed(let change): change
        case .dig: nil
        }
      }
    }

    func change(_ design: inout Design, on change: Change) {
      if change == .dig { design.bed = .init() }
    }
  }

  // Row of FromLegoKit: `onAppear`
  @Test func `a store or a part that appears builds a change`() async {
    let lego = BedBlueprint.lego([LifecycleAdaptor(started: .plant("fern"))])
    #expect(await lego.observe(\.plant).first { $0 == "fern" } == "fern")
    let bed = Feature(BedBlueprint(), adaptors: [LifecycleAdaptor(started: .plant("fern"))])
    let yard = Lego(
      .init(), feature: Feature(Yard()).optional(\.bed, .case(Yard.Change.bed), bed))
    #expect(yard.design.bed == nil)
    yard.build(.dig)
    #expect(await yard.observe(\.bed).first { $0?.plant == "fern" } != nil)
  }
}
