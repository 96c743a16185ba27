import LegoKit
import Testing

/// Programs in the shape of LegoKit's manual.
@Suite(.timeLimit(.minutes(5))) struct `A program ported from LegoKit` {
  @Test func `has one store, and lines that are typed into`() {
    let lego: Lego<AllotmentBlueprint> = .init(.init(), blueprint: AllotmentBlueprint())
    let screen = AllotmentScreen(lego: lego)
    screen.lines[0].type("beans")
    screen.lines[1].type("1")
    screen.lines[1].type("2")
    screen.pressSow()
    #expect(screen.drawn == ["Allotment", "Plant: beans", "Rows: 12"])
    #expect(lego.design.bed.sown == 12)
  }

  @Test func `has a store for a screen, and logs what changes`() {
    let log = CurrentValueSubject<[String], Never>([])
    let screen = BedScreen(log: LogSink { log.value.append($0) })
    screen.plant.type("beans")
    screen.pressSow()
    #expect(screen.plant.drawn == "Plant: beans")
    #expect(log.value.count == 2)
    #expect(log.value.first?.contains("plant: \"\" → \"beans\"") == true)
  }

  @Test func `asks a service that has completions`() async {
    let lego = Lego(.init(), blueprint: DoorBlueprint(), adaptors: [DoorAdaptor()])
    lego.build(.requestStatus)
    #expect(lego.design.front == .notDetermined && lego.design.back == .shut)
    await lego.build(.requestFrontAccess).finished()
    #expect(lego.design.front == .open)
    #expect(await DoorService.contractor.requestAccess(for: "back") == .shut)
  }

  @Test func `routes in screens and in blueprints`() async {
    _ = TourApp()
    let screen = TourScreen()
    #expect(screen.drawn == "Loading")
    screen.onAppear()
    #expect(screen.drawn == "Welcome")
    screen.pressMap()
    #expect(screen.drawn == "Gallery, with the map over it")
    screen.isMapPresented.wrappedValue = false
    #expect(screen.drawn == "Gallery")
    let lego = Lego(.init(), blueprint: TicketBlueprint())
    lego.build(.bought(.success(7)))
    #expect(lego.design.ticket == 7 && screen.drawn == "Gallery")
    async let views = screen.views()
    lego.build(.bought(.failure(.soldOut)))
    #expect(lego.design.ticket == nil && screen.drawn == "Goodbye")
    #expect(await views.last == .exit)
  }
}
