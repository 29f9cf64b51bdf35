"""Writes the files of this folder's tests, by the packages that people use: reportlab 5.1.0, pypdf 7.1.1, python-docx 1.2.0,
python-pptx 1.0.2, openpyxl 3.1.5, Pillow 13.0.0."""
import datetime, io, os
from PIL import Image
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen import canvas
from pypdf import PdfReader, PdfWriter
import docx, openpyxl, pptx

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'files'))
DAY = datetime.datetime(2024, 3, 1)

def pdf(name, pages, title=None):
    page = canvas.Canvas(name, pagesize=A5, invariant=1)
    if title: page.setTitle(title)
    for lines in pages:
        for i, line in enumerate(lines): page.drawString(40, 500 - 20 * i, line)
        page.showPage()
    page.save()

pdf('harbour.pdf', [['Harbour rules of Lomm', 'Every ship pays a toll of nine shells.'],
                    ['At night the lantern is lit by the keeper.', 'No ship may leave after the lantern is lit.']], 'Harbour rules')
picture = io.BytesIO(); Image.new('L', (60, 60), 128).save(picture, 'PNG')
scan = canvas.Canvas('scanned.pdf', pagesize=A5, invariant=1)
from reportlab.lib.utils import ImageReader
scan.drawImage(ImageReader(picture), 40, 300); scan.showPage(); scan.save()
writer = PdfWriter(); writer.append(PdfReader('harbour.pdf')); writer.encrypt('secret', algorithm='RC4-128'); writer.write('encrypted.pdf')

word = docx.Document()
word.core_properties.title = 'Mills of the valley'; word.core_properties.author = 'A. Miller'
word.core_properties.created = word.core_properties.modified = DAY
word.add_heading('Mills', 1); word.add_paragraph('The upper mill grinds rye for three villages.')
word.add_heading('Wages', 2); word.add_paragraph('A miller earns two shells a day.')
table = word.add_table(rows=2, cols=2)
for row, cells in zip(table.rows, [('mill', 'stones'), ('upper', '4')]):
    for cell, text in zip(row.cells, cells): cell.text = text
word.save('mills.docx')

show = pptx.Presentation(); show.core_properties.title = 'Salt trade'; show.core_properties.modified = DAY
for title, body, note in [('Prices', 'Salt costs four shells a bushel.', 'Mention the drought.'), ('Roads', 'The salt road crosses the moor.', '')]:
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = title; slide.placeholders[1].text = body
    if note: slide.notes_slide.notes_text_frame.text = note
show.save('salt.pptx')

book = openpyxl.Workbook(); sheet = book.active; sheet.title = 'Ships'
for row in [['name', 'description', 'built'], ['Amber Thistle', 'A barge with a flat keel.', DAY], ['Grey Finch', 'A fast cutter.', datetime.datetime(2020, 1, 2)]]: sheet.append(row)
second = book.create_sheet('Ports')
for row in [['port', 'depth'], ['Lomm', 9]]: second.append(row)
book.save('ships.xlsx')

questions = openpyxl.Workbook()
for row in [['question', 'file', 'page', 'quote', 'answer'], ['Who lights the lantern?', 'harbour.pdf', 2, '', 'the keeper'], ['What does a ship pay?', 'harbour.pdf', '', 'toll of nine shells', '']]: questions.active.append(row)
questions.save('questions.xlsx')
