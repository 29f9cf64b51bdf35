export default { name: "almost" }
