import LegoKit
import Testing

/// A text field without a screen: it reads and writes through its glue.
private struct TextField {
  let label: String
  let text: Glue<String>

  init(_ label: String, text: Glue<String>) {
    self.label = label
    self.text = text
  }

  func type(_ letters: String) { text.wrappedValue += letters }
}

@Suite struct `The usual approaches` {
  @Test func `the Redux approach`() {
    let lego: Lego<AppBlueprint> = .init(
      .init(),
      blueprint: AppBlueprint(),
      adaptors: [PermissionsAdaptor()])
    let address = TextField(
      "Address", text: lego.glue(\.house.address, change: { .house(.address($0)) }))
    let city = TextField("City", text: lego.glue(\.house.city, change: { .house(.city($0)) }))

    address.type("12 Main")
    address.type(" St")
    city.type("Springfield")
    lego.build(.house(.submit))

    #expect(lego.design.title == "Home")
    #expect(lego.design.house.address == "12 Main St")
    #expect(lego.design.house.city == "Springfield")
    #expect(lego.design.house.submissions == 1)
    #expect(address.text.wrappedValue == "12 Main St")
  }

  @Test func `the MVVM approach`() {
    let lego: Lego<HouseBlueprint> = .init(
      .init(),
      blueprint: HouseBlueprint())
    let address = TextField("Address", text: lego.glue(\.address, change: { .address($0) }))
    let submit = lego.glue(\.submissions, change: .submit)

    address.type("1 Infinite Loop")
    submit.wrappedValue = 0

    #expect(lego.design.address == "1 Infinite Loop")
    #expect(lego.design.submissions == 1)
  }

  @Test func `a log says what became what`() {
    let entries = Collected<String>()
    let lego: Lego<AppBlueprint> = .init(
      .init(),
      blueprint: AppBlueprint(),
      enableLogs: true,
      logSink: LogSink { entries.append($0) })
    lego.build(.house(.address("12 Main St")))
    lego.build(.permission(.requestPermissionStatus))
    #expect(
      entries.values == [
        """
        AppBlueprint #1 .house(.address("12 Main St"))
          house.address: "" → "12 Main St"
        """,
        """
        AppBlueprint #2 .permission(.requestPermissionStatus)
          (no difference)
        """,
      ])
  }
}
