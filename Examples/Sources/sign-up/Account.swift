/// What a person signs up for.
struct Account: Equatable, Sendable {
  var name: String
  var address: String
  var login: String
}
